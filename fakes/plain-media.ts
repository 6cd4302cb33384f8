/** The results of fakes: small and plain, in the requested shape and duration. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ffmpeg } from '../offline-engine/ffmpeg.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

export type ImageFormat = 'gif' | 'jpeg' | 'png' | 'webp';

const longSide = 128;

/** An image of one color, with the ratio of two sides. */
export async function plainImage(across: number, down: number, format: ImageFormat) {
  const scale = longSide / Math.max(across, down);
  const size = { width: Math.round(across * scale), height: Math.round(down * scale) };
  const bytes = await sharp({ create: { ...size, channels: 3, background: '#2a6f97' } })
    .toFormat(format)
    .toBuffer();
  return { bytes, contentType: `image/${format}`, ...size };
}

/** An MP3 of a tone, at least half a second long. */
export const plainSound = (seconds: number): Promise<Buffer> => {
  const tone = `sine=frequency=220:duration=${Math.max(0.5, seconds)}`;
  return ffmpeg({ arguments: ['-f', 'lavfi', '-i', tone, ...'-c:a libmp3lame -b:a 64k -f mp3 pipe:1'.split(' ')] });
};

export interface PlainVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

/** The frame rate is chosen so that every tenth of a second is a whole number of frames. */
const framesPerSecond = 10;

async function encode({ width, height, seconds, hasSound }: PlainVideo): Promise<Buffer> {
  return inTemporaryFolder(async (folder) => {
    const path = join(folder, 'video.mp4');
    const frames = `color=c=0x2a6f97:s=${width}x${height}:r=${framesPerSecond}`;
    const sound = hasSound ? ['-f', 'lavfi', '-i', 'sine=frequency=220', '-c:a', 'aac'] : [];
    const codec = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags +faststart'.split(' ');
    await ffmpeg({ arguments: ['-f', 'lavfi', '-i', frames, ...sound, ...codec, '-t', String(seconds), path] });
    return await readFile(path);
  });
}

const made = new Map<string, Promise<Buffer>>();
const maxMade = 20;

/** An MP4 of one color and one tone, encoded once per video. */
export function plainVideo(video: PlainVideo): Promise<Buffer> {
  const key = JSON.stringify(video);
  const known = made.get(key) ?? encode(video);
  made.set(key, known);
  const [oldest] = made.keys();
  if (made.size > maxMade && oldest !== undefined) made.delete(oldest);
  return known;
}
