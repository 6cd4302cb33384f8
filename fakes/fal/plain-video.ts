/** The fake's default videos: one color and one tone, in the requested size and duration. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import type { RequestedVideo } from './fal-endpoint.ts';

/** Chosen so that every tenth of a second is a whole number of frames. */
const framesPerSecond = 10;

async function encode({ width, height, seconds, hasSound }: RequestedVideo): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-video-'));
  try {
    const path = join(folder, 'video.mp4');
    const frames = `color=c=0x2a6f97:s=${width}x${height}:r=${framesPerSecond}`;
    const sound = hasSound ? ['-f', 'lavfi', '-i', 'sine=frequency=220', '-c:a', 'aac'] : [];
    const codec = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags +faststart'.split(' ');
    await ffmpeg({ arguments: ['-f', 'lavfi', '-i', frames, ...sound, ...codec, '-t', String(seconds), path] });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const made = new Map<string, Promise<Buffer>>();
const mostMade = 20;

/** Encodes an MP4, once per video. */
export function plainVideo(video: RequestedVideo): Promise<Buffer> {
  const key = JSON.stringify(video);
  const known = made.get(key) ?? encode(video);
  made.set(key, known);
  const [oldest] = made.keys();
  if (made.size > mostMade && oldest !== undefined) made.delete(oldest);
  return known;
}
