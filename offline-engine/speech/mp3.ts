/** Encodes audio as an MP3 file: 44.1 kHz, mono, 64 kbit/s constant. */
import { rename, rm } from 'node:fs/promises';
import { ffmpeg } from '../ffmpeg.ts';

const samplesPerSecond = 44_100;

const encoding = [
  `-ar ${samplesPerSecond} -ac 1 -c:a libmp3lame -b:a 64k -compression_level 7`,
  '-map_metadata -1 -id3v2_version 3 -f mp3',
].flatMap((part) => part.split(' '));

interface Mp3Options {
  /** `language` is an ISO 639-2 code, such as `por`. */
  readonly tag: { readonly title: string; readonly language: string; readonly comment: string };
  /** Shorter audio is padded with silence. */
  readonly minSeconds?: number;
}

interface Mp3Source {
  /** ffmpeg's options for the input. */
  readonly format: string;
  readonly bytes: Uint8Array;
}

export const writeMp3 = async (path: string, { format, bytes }: Mp3Source, options: Mp3Options): Promise<void> => {
  const { tag, minSeconds = 0 } = options;
  const padding =
    minSeconds > 0 ? ['-af', `aresample=${samplesPerSecond},apad=whole_len=${minSeconds * samplesPerSecond}`] : [];
  const said = Object.entries({ artist: 'Offline engine', ...tag });
  const metadata = said.flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const unfinished = `${path}.part`;
  try {
    const given = ['-f', ...format.split(' '), '-i', 'pipe:0', ...padding, ...encoding, ...metadata, unfinished];
    await ffmpeg({ arguments: given, input: bytes });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
};
