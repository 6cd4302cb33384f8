/** Copies results from an engine into the service's own storage, as streams, in constant memory. */

import { generationOf } from '../../contracts/generate.ts';
import { resultCountOf } from '../../contracts/generation-contract.ts';
import { type MediaKind, type MediaType, mediaTypes, resultLimits } from '../../contracts/media.ts';
import type { Engine, EngineDownload, EngineOutput } from '../../engines/engine.ts';
import type { Engines } from '../../engines/engines.ts';
import { imageHeadBytes, readImageHead } from '../../media-files/image-head.ts';
import type { Bucket } from '../../platform/bucket.ts';
import { sniffType } from '../../platform/content-type.ts';
import { limitBytes, TooManyBytes } from '../../platform/limit-bytes.ts';
import { peekStream } from '../../platform/peek-stream.ts';
import { engineFault } from '../engine-jobs/engine-fault.ts';
import { invalid } from '../media/media-problem.ts';
import { completeCopy, UnusableCopy, watchedCopy } from '../media/watched-copy.ts';
import { copyPoster } from './copy-poster.ts';
import { resultKey, type StoredResult, type Task } from './task.ts';
import { keepsPromise, lastsAsCut, type MeasuredVideo } from './video-promise.ts';

interface Needs {
  readonly bucket: Bucket;
  readonly engines: Engines;
}

type Facts = Pick<StoredResult, 'width' | 'height' | 'durationSec'> & { readonly contentType: MediaType };

const engineFailed = (cause: unknown): never => {
  throw Object.assign(new Error('a result could not be downloaded', { cause }), { name: engineFault });
};

/** The bytes of an output within their budget. What interrupts them is the engine's fault, not the storage's. */
async function* outputBytes({ body }: EngineDownload, maxBytes: number) {
  try {
    yield* limitBytes(body, maxBytes);
  } catch (error) {
    if (error instanceof TooManyBytes) throw error;
    engineFailed(error);
  }
}

/** Durations are reported to a tenth of a second. */
const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

/** What a file is by its own first bytes; undefined when no task of the kind may result in it. */
async function factsOf(kind: MediaKind, head: Uint8Array, { durationSec }: EngineOutput): Promise<Facts | undefined> {
  if (kind === 'image') return readImageHead(head);
  const sniffed = await sniffType(head);
  const contentType = resultLimits[kind].types.find((type) => type === sniffed?.contentType);
  if (!contentType) return undefined;
  return { contentType, ...(kind === 'audio' && durationSec !== undefined && { durationSec: rounded(durationSec) }) };
}

type Write = (body: AsyncIterable<Uint8Array>) => Promise<number>;

/** Writes a video while its index is read, which may be at its end; one that is not as promised is not completed. */
async function writeVideo(
  body: AsyncIterable<Uint8Array>,
  isPromised: (video: MeasuredVideo) => boolean,
  write: Write,
) {
  // Loaded only where there is a video: the reader of containers is large.
  const { measureVideo } = await import('../media/measure-video.ts');
  let video: MeasuredVideo | undefined;
  const watch = async (seen: AsyncIterable<Uint8Array>) => {
    video = await measureVideo(seen);
    return video && isPromised(video) ? undefined : invalid('is not the promised video');
  };
  const bytes = await write(watchedCopy(body, watch));
  return video && { bytes, width: video.width, height: video.height, durationSec: rounded(video.durationSec) };
}

interface Copy {
  readonly kind: MediaKind;
  readonly task: Pick<Task, 'taskId' | 'resultsSecret' | 'promise'>;
  readonly output: EngineOutput;
  readonly position: number;
}

/** Undefined when the output is not a file that such a task may result in. */
export async function copyResult(
  bucket: Bucket,
  engine: Pick<Engine, 'download'>,
  { kind, task, output, position }: Copy,
): Promise<StoredResult | undefined> {
  const { maxBytes } = resultLimits[kind];
  const download = await engine.download(output).catch(engineFailed);
  // The head is enough to reject a file that is announced as too large.
  const isTooLarge = (download.bytes ?? 0) > maxBytes;
  const peeked = await peekStream(outputBytes(download, maxBytes), { maxBytes: isTooLarge ? 1 : imageHeadBytes });
  try {
    if (peeked.next === 'failure') throw peeked.failure;
    const facts = isTooLarge ? undefined : await factsOf(kind, peeked.head, output);
    if (!facts) return undefined;
    const { contentType } = facts;
    const key = resultKey(task, position, mediaTypes[contentType].extension);
    const write: Write = (body) => bucket.write(key, { body: completeCopy(body), contentType });
    if (kind !== 'video') return { ...facts, key, bytes: await write(peeked.body) };
    const isPromised = (measured: MeasuredVideo) =>
      (!task.promise || keepsPromise(measured, task.promise)) && lastsAsCut(measured, output.clip);
    const video = await writeVideo(peeked.body, isPromised, write);
    return video && { ...facts, ...video, key };
  } catch (error) {
    // Downloading it again would not make it another file.
    if (error instanceof TooManyBytes || error instanceof UnusableCopy) return undefined;
    throw error;
  } finally {
    await peeked.close();
  }
}

/** The result with an image of it, if the engine provides a usable one. */
async function withPoster(bucket: Bucket, engine: Engine, copy: Copy): Promise<StoredResult | undefined> {
  const result = await copyResult(bucket, engine, copy);
  const posterKey = result && (await copyPoster(bucket, engine, copy));
  const { clip } = copy.output;
  return result && { ...result, ...(posterKey !== undefined && { posterKey }), ...(clip && { clip }) };
}

/** How many results the account pays for, and how many of them there must be. */
function promisedCounts({ input, derived, taskType }: Task): { readonly count: number; readonly least: number } {
  const rules = generationOf(taskType);
  const count = resultCountOf(rules, { ...input, ...derived });
  return { count, least: Math.min(count, rules.leastResults ?? count) };
}

/** Each upload and each reader of a video has buffers of many megabytes. */
const simultaneousCopies = 4;
/** Of a result that may be missing: a download may fail for a moment. */
const fetchAttempts = 2;

const isUnfetched = (error: unknown): boolean => error instanceof Error && error.name === engineFault;

/** In their order; undefined if fewer than `least` are usable. @throws if more cannot be fetched than may be missing */
async function copyAll(
  copies: readonly Copy[],
  least: number,
  copy: (copy: Copy) => Promise<StoredResult | undefined>,
): Promise<readonly StoredResult[] | undefined> {
  const results: (StoredResult | undefined)[] = [];
  let lost = 0;
  let pending = copies;
  for (let attempt = 1; attempt <= fetchAttempts; attempt += 1) {
    const unfetched: Copy[] = [];
    const take = async (one: Copy) => {
      try {
        const result = await copy(one);
        if (!result) lost += 1;
        results[one.position] = result;
      } catch (error) {
        if (!isUnfetched(error) || copies.length - lost - unfetched.length <= least) throw error;
        unfetched.push(one);
      }
    };
    for (let first = 0; first < pending.length; first += simultaneousCopies) {
      await Promise.all(pending.slice(first, first + simultaneousCopies).map(take));
      if (copies.length - lost < least) return undefined;
    }
    pending = unfetched;
  }
  return results.filter((result) => result !== undefined);
}

/** The stored results of a task; undefined when its engine did not make the files that such a task promises. */
export async function copyResults(
  { bucket, engines }: Needs,
  task: Task,
  outputs: readonly EngineOutput[],
): Promise<readonly StoredResult[] | undefined> {
  const engine = engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  const kind = generationOf(task.taskType).medium;
  const { count, least } = promisedCounts(task);
  const copies = outputs.slice(0, count).map((output, index) => ({ kind, task, output, position: index + 1 }));
  if (copies.length < least) return undefined;
  return copyAll(copies, least, (copy) => withPoster(bucket, engine, copy));
}
