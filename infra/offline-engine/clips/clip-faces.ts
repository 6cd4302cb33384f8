/** The faces in a clip, sampled from small frames. */

import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import type { FaceFinder } from '../image/face-finder.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { WorkFailure } from '../work-failure.ts';
import type { Span } from './analyze-source.ts';
import type { Sighting } from './crop-path.ts';

export const samplesPerSecond = 2;
const longestSide = 256;
const limits = { cpuSeconds: 300, fileBytes: 0 };

const sampleFrames = async ({ path, field, width, height }: FetchedVideo, { start, end }: Span) => {
  const factor = longestSide / Math.max(width, height);
  const side = (length: number) => Math.max(2, Math.round(length * factor));
  const size = { width: side(width), height: side(height) };
  // Rounded up, each sample is the frame that is shown at its time and none of the next shot.
  const filter = `fps=${samplesPerSecond}:start_time=0:round=up,scale=${size.width}:${size.height}:flags=area`;
  const input = [...`-threads 2 -ss ${start} -t ${end - start} -f mp4 -i`.split(' '), path];
  const output = `-map 0:v:0 -vf ${filter} -f rawvideo -pix_fmt rgba pipe:1`.split(' ');
  const bytes = await ffmpeg({ arguments: [...input, ...output], limits }).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, 'has frames that cannot be decoded');
  });
  const frameBytes = size.width * size.height * 4;
  return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, index) => ({
    ...size,
    pixels: bytes.subarray(index * frameBytes, (index + 1) * frameBytes),
    hasAlpha: false,
  }));
};

/** In each sample, along the side that is cropped. */
export const facesInClip = async (
  finder: FaceFinder,
  video: FetchedVideo,
  span: Span,
  side: 'width' | 'height',
): Promise<readonly (readonly Sighting[])[]> => {
  const sightings: (readonly Sighting[])[] = [];
  for (const frame of await sampleFrames(video, span)) {
    const faces = await finder.find(frame);
    const at = side === 'width' ? 'x' : 'y';
    sightings.push(faces.map((face) => ({ center: face.centre[at] / frame[side], size: face[side] / frame[side] })));
  }
  return sightings;
};
