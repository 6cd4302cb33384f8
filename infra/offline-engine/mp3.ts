/** Sound as an MP3 file: 44.1 kHz, mono, 64 kbit/s constant. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ffmpeg } from './ffmpeg.ts';
import { id3Tag, type Mp3Tag } from './id3-tag.ts';

const samplesPerSecond = 44_100;
const leastSamples = samplesPerSecond / 2;

const encoding = [
  `-f wav -i pipe:0 -af aresample=${samplesPerSecond},apad=whole_len=${leastSamples}`,
  `-ar ${samplesPerSecond} -ac 1 -c:a libmp3lame -b:a 64k -compression_level 7`,
  '-map_metadata -1 -id3v2_version 0 -f mp3',
].flatMap((part) => part.split(' '));

/** Writes the file, at least half a second long; `wav` is a whole WAV file. */
export const writeMp3 = async (path: string, wav: Uint8Array, tag: Mp3Tag, signal: AbortSignal): Promise<void> => {
  const unfinished = `${path}.part`;
  try {
    await ffmpeg({ arguments: [...encoding, unfinished], input: wav, signal });
    await writeFile(unfinished, Buffer.concat([id3Tag(tag), await readFile(unfinished)]));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
};

/** How long a file really sounds, rounded to 0.1 s: it is decoded whole, and fails if any of it is broken. */
export const audioSeconds = async (path: string, signal: AbortSignal): Promise<number> => {
  const progress = await ffmpeg({
    arguments: ['-xerror', '-i', path, '-progress', 'pipe:1', '-f', 'null', '-'],
    signal,
  });
  const ends = [...progress.toString('latin1').matchAll(/^out_time=(\d+):(\d+):([\d.]+)$/gm)];
  const [, hours, minutes, seconds] = ends.at(-1) ?? [];
  if (seconds === undefined) throw new Error(`ffmpeg did not say how long ${path} is`);
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 10) / 10;
};
