/** Finds the faces in a clip, sampled from small frames, and the scene changes in between. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaceFinder } from '../image/face-finder.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import type { Sighting } from './crop-path.ts';
import { findScenes } from './find-scenes.ts';
import type { Span } from './frame-values.ts';

export const samplesPerSecond = 2;
const longestSide = 256;
const fileBytes = 128 * 2 ** 20;

const sampleFrames = async (video: FetchedVideo, span: Span, folder: string) => {
  const { width, height } = video;
  const factor = longestSide / Math.max(width, height);
  const side = (length: number) => Math.max(2, Math.round(length * factor));
  const size = { width: side(width), height: side(height) };
  // Sample times are rounded up, so that each sample is the frame shown at its time and never one of the next shot.
  const filter = `fps=${samplesPerSecond}:start_time=0:round=up,scale=${size.width}:${size.height}:flags=area`;
  const path = join(folder, 'samples.rgba');
  const output = [...`-map 0:v:0 -vf ${filter} -f rawvideo -pix_fmt rgba`.split(' '), path];
  const scenes = await findScenes(video, span, { beside: { arguments: output, fileBytes } });
  const bytes = await readFile(path);
  await rm(path);
  const frameBytes = size.width * size.height * 4;
  const frames = Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, index) => ({
    ...size,
    pixels: bytes.subarray(index * frameBytes, (index + 1) * frameBytes),
    hasAlpha: false,
  }));
  return { scenes, frames };
};

interface SeenClip {
  /** The position and size of the faces in each sample, along the side that is cropped. */
  readonly sightings: readonly (readonly Sighting[])[];
  /** The times of scene changes, in seconds of the video. */
  readonly scenes: readonly number[];
}

/** Finds the faces; `folder` temporarily stores the samples. @throws {WorkFailure} INPUT_INVALID */
export const facesInClip = async (
  finder: FaceFinder,
  video: FetchedVideo,
  { span, side, folder }: { readonly span: Span; readonly side: 'width' | 'height'; readonly folder: string },
): Promise<SeenClip> => {
  const { scenes, frames } = await sampleFrames(video, span, folder);
  const sightings: (readonly Sighting[])[] = [];
  for (const frame of frames) {
    const faces = await finder.find(frame);
    const at = side === 'width' ? 'x' : 'y';
    sightings.push(faces.map((face) => ({ center: face.center[at] / frame[side], size: face[side] / frame[side] })));
  }
  return { sightings, scenes };
};
