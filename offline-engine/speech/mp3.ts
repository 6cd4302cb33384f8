/** Encodes audio as an MP3 file: 44.1 kHz, mono, 64 kbit/s constant. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../ffmpeg.ts';
import { id3Tag, type Mp3Tag } from './id3-tag.ts';

const samplesPerSecond = 44_100;

const encoding = [
  `-ar ${samplesPerSecond} -ac 1 -c:a libmp3lame -b:a 64k -compression_level 7`,
  '-map_metadata -1 -id3v2_version 0 -f mp3',
].flatMap((part) => part.split(' '));

interface Mp3Options {
  readonly tag: Mp3Tag;
  /** Shorter audio is padded with silence. */
  readonly leastSeconds?: number;
}

/** Writes an MP3; `wav` is a complete WAV file. */
export const writeMp3 = async (path: string, wav: Uint8Array, { tag, leastSeconds = 0 }: Mp3Options): Promise<void> => {
  const padding =
    leastSeconds > 0 ? ['-af', `aresample=${samplesPerSecond},apad=whole_len=${leastSeconds * samplesPerSecond}`] : [];
  const unfinished = `${path}.part`;
  try {
    await ffmpeg({ arguments: ['-f', 'wav', '-i', 'pipe:0', ...padding, ...encoding, unfinished], input: wav });
    await writeFile(unfinished, Buffer.concat([id3Tag(tag), await readFile(unfinished)]));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
};
