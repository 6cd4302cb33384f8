/** Encodes audio as an MP3 file: 44.1 kHz, mono, 64 kbit/s constant. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../ffmpeg.ts';
import { id3Tag, type Mp3Tag } from './id3-tag.ts';

const samplesPerSecond = 44_100;

/** Shorter audio is padded with silence. */
export const shortestSeconds = 0.5;

const encoding = [
  `-f wav -i pipe:0 -af aresample=${samplesPerSecond},apad=whole_len=${shortestSeconds * samplesPerSecond}`,
  `-ar ${samplesPerSecond} -ac 1 -c:a libmp3lame -b:a 64k -compression_level 7`,
  '-map_metadata -1 -id3v2_version 0 -f mp3',
].flatMap((part) => part.split(' '));

/** `wav` is a complete WAV file. */
export const writeMp3 = async (path: string, wav: Uint8Array, tag: Mp3Tag): Promise<void> => {
  const unfinished = `${path}.part`;
  try {
    await ffmpeg({ arguments: [...encoding, unfinished], input: wav });
    await writeFile(unfinished, Buffer.concat([id3Tag(tag), await readFile(unfinished)]));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
};
