/** Measures the cost of probing valid files, compared with mediabunny, which trusts what they declare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADTS, CustomSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import { ffmpeg } from '../offline-engine/ffmpeg.ts';
import { isMeasured } from '../shared/media-files/measured-file.ts';
import { measureFile } from '../shared/media-files/read-media.ts';
import type { SeekableFile } from '../shared/media-files/readable-file.ts';
import { percentile } from './percentile.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { type TextTable, timesText } from './text-table.ts';

const rounds = 30;
/** Warm-up rounds, after which the code of both probes is compiled. */
const warmUpRounds = 30;
const kilobyte = 1024;

const picture = '-f lavfi -i testsrc=size=320x180:rate=30';
const sound = '-f lavfi -i sine=frequency=440';

/** Recipes for the files; the last one repeats the first file many times. */
const recipes = {
  '10 s video (MP4)': ['10-s.mp4', `${picture} ${sound} -t 10 -pix_fmt yuv420p -preset ultrafast`],
  '5 min sound (MP3)': ['5-min.mp3', `${sound} -t 300`],
  '5 min sound (M4A)': ['5-min.m4a', `${sound} -t 300`],
  '5 min sound (Ogg Opus)': ['5-min.ogg', `${sound} -t 300 -c:a libopus`],
  '3 h video (MP4)': ['3-h.mp4', '-stream_loop 1079 -i 10-s.mp4 -c copy'],
} as const;

async function madeFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const directory = temporaryDirectory('media-probes');
  const files = new Map<string, Buffer>();
  for (const [title, [name, recipe]] of Object.entries(recipes)) {
    const words = recipe.split(' ').map((word) => (word.includes('.mp4') ? join(directory, word) : word));
    await ffmpeg({ arguments: [...words, '-y', join(directory, name)] });
    files.set(title, readFileSync(join(directory, name)));
  }
  return files;
}

/** A probe, which returns the duration in seconds. */
type Probe = (file: SeekableFile) => Promise<number>;

const ours: Probe = async (file) => {
  // Probes a file as if it were at a URL, which is copied and measured again.
  const found = await measureFile(file, { isReadAgain: true });
  if (!isMeasured(found)) throw new Error(found.reason);
  return found.durationSec;
};

const formats = [MP4, QTFF, MP3, WAVE, OGG, WEBM, MATROSKA, ADTS, FLAC];

const mediabunny: Probe = async (file) => {
  const source = new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    maxCacheSize: 8 * 2 ** 20,
    prefetchProfile: 'network',
  });
  const input = new Input({ source, formats });
  const video = await input.getPrimaryVideoTrack();
  await input.getPrimaryAudioTrack();
  await video?.computeDuration();
  const seconds = await input.computeDuration();
  input.dispose();
  return seconds;
};

async function costOf(probe: Probe, bytes: Buffer) {
  let bytesRead = 0;
  const read = async (start: number, end: number) => {
    bytesRead += Math.min(end, bytes.length) - start;
    return bytes.subarray(start, end);
  };
  const before = process.cpuUsage();
  const seconds = await probe({ access: 'ranges', size: bytes.length, read });
  const { user, system } = process.cpuUsage(before);
  return { seconds, bytesRead, cpuMs: (user + system) / 1000 };
}

async function rowOf(title: string, bytes: Buffer): Promise<readonly (string | number)[]> {
  const [mine, theirs]: [number[], number[]] = [[], []];
  const read = { mine: 0, theirs: 0 };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const [one, other] = [await costOf(ours, bytes), await costOf(mediabunny, bytes)];
    if (Math.abs(one.seconds - other.seconds) > 1)
      throw new Error(`${title} lasts ${one.seconds} or ${other.seconds} s`);
    read.mine = one.bytesRead;
    read.theirs = other.bytesRead;
    if (round < warmUpRounds) continue;
    mine.push(one.cpuMs);
    theirs.push(other.cpuMs);
  }
  const [cpu, unit] = [percentile(mine, 0.5), percentile(theirs, 0.5)];
  const kilobytes = (count: number) => Math.round(count / kilobyte);
  const sizes = [bytes.length, read.mine, read.theirs].map(kilobytes);
  return [title, cpu, unit, timesText(cpu, unit), ...sizes, timesText(read.mine, read.theirs)];
}

/** Measures probes of files that are read in parts, as from a server with ranges. */
export async function mediaProbes(): Promise<TextTable> {
  const rows: (readonly (string | number)[])[] = [];
  for (const [title, bytes] of await madeFiles()) rows.push(await rowOf(title, bytes));
  return {
    title: `A probe of an honest file: CPU in ms, p50 of ${rounds}, and KB read, next to mediabunny`,
    columns: ['file', 'CPU', 'mediabunny', 'ratio', 'KB', 'KB read', 'mediabunny', 'ratio'],
    rows,
  };
}
