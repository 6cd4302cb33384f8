/** Determines what a result is from its bytes, and how that differs from its task and its request. */
import sharp from 'sharp';
import type { Task } from '../../client/client.ts';
import { readContainer } from '../../shared/media-files/read-container.ts';
import type { DemoRequest } from './demo-requests.ts';
import { unless } from './unless.ts';

export interface ResultFacts {
  readonly contentType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly durationSec?: number;
  readonly hasAudio?: boolean;
}

interface SavedFile {
  readonly request: Pick<DemoRequest, 'expected' | 'fileNames'>;
  readonly task: Task;
  readonly fileName: string;
  /** The result as its task describes it, and as its bytes show it. */
  readonly described: NonNullable<Task['results']>[number];
  readonly facts: ResultFacts;
}

/** @throws {Error} if it is not an image, audio or video */
export async function resultFacts(bytes: Buffer): Promise<ResultFacts> {
  const image = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  if (image) return { contentType: `image/${image.format}`, width: image.width, height: image.height };
  const found = await readContainer({ access: 'stream', body: ReadableStream.from([bytes]), close: () => undefined });
  if (!found) throw new Error('a result is not a media file');
  return found;
}

const sizeOf = ({ width, height }: Pick<ResultFacts, 'width' | 'height'>): string => `${width} × ${height}`;

export const factsText = ({ durationSec, hasAudio, ...facts }: ResultFacts, { length }: Buffer): string =>
  [
    ...(facts.width === undefined ? [] : [sizeOf(facts)]),
    ...(durationSec === undefined ? [] : [`${durationSec.toFixed(1)} s`]),
    ...(durationSec !== undefined && facts.width !== undefined ? [`${hasAudio ? 'with' : 'without'} sound`] : []),
    `${(length / 1000).toFixed(1)} kB`,
  ].join(', ');

/** The tolerance of durations: tasks round them to 0.1 s, and an MP3 is padded by up to two frames. */
const toleratedSeconds = 0.2;

const isNear = (seconds: number, durationSec: number): boolean => Math.abs(seconds - durationSec) <= toleratedSeconds;

/**
 * How long a result should be. No request says how long a clip is: it follows from the passage of the video that was
 * chosen for it.
 */
function expectedSeconds({ request: { expected, fileNames }, fileName, task }: SavedFile): number | undefined {
  const clip = task.clips?.[fileNames.indexOf(fileName)];
  return clip ? (clip.endTime ?? 0) - (clip.startTime ?? 0) : expected?.durationSec;
}

export function problemsOfResult(file: SavedFile): readonly string[] {
  const { facts, fileName, described, request } = file;
  const { expected } = request;
  const { contentType, durationSec = 0 } = facts;
  const seconds = expectedSeconds(file) ?? durationSec;
  const isVideo = contentType.startsWith('video/');
  return [
    ...unless(contentType === described.contentType, `is ${contentType}, not ${described.contentType}`),
    ...unless(sizeOf(facts) === sizeOf(described), `is ${sizeOf(facts)}, not as described`),
    ...unless(!expected || sizeOf(facts) === sizeOf(expected), `is ${sizeOf(facts)}, not as requested`),
    ...unless(isNear(durationSec, described.durationSec ?? 0), `lasts ${durationSec.toFixed(1)} s, not as described`),
    ...unless(isNear(durationSec, seconds), `lasts ${durationSec.toFixed(1)} s, not as requested`),
    ...unless(!expected || facts.hasAudio === expected.hasAudio, `has ${facts.hasAudio ? 'a' : 'no'} sound track`),
    ...unless(!isVideo || described.posterUrl !== undefined, 'has no poster'),
  ].map((problem) => `${fileName} ${problem}`);
}
