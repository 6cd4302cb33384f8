/** Copies results from an engine into the service's own storage, as streams and in constant memory. */

import { generationOf } from '../../contracts/generate.ts';
import { isPricedByFile, paidSecondsOf, resultCountOf } from '../../contracts/generation-contract.ts';
import { inputLimits, type MediaKind, type MediaType, mediaTypes, resultLimits } from '../../contracts/media.ts';
import type { DigitalSourceType } from '../../contracts/provenance.ts';
import type { Engine, EngineDownload, EngineOutput } from '../../engines/engine.ts';
import type { Engines } from '../../engines/engines.ts';
import { imageHeadBytes, readImageHead, showsImage } from '../../media-files/image-head.ts';
import { sniffType } from '../../platform/content-type.ts';
import type { Ids } from '../../platform/ids.ts';
import { limitBytes, TooManyBytes } from '../../platform/limit-bytes.ts';
import { peekStream } from '../../platform/peek-stream.ts';
import { engineFault } from '../engine-jobs/engine-fault.ts';
import { invalid, type MediaProblem, outOfLimits } from '../media/media-problem.ts';
import { completeCopy, UnusableCopy, watchedCopy } from '../media/watched-copy.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { digitalSourceTypeOf } from '../published-files/published-file-store.ts';
import { type ResultPlace, resultKey, type StoredResult, type Task } from '../tasks/task.ts';
import { keepsPromise, lastsAsCut, type MeasuredVideo } from '../tasks/video-promise.ts';
import { copyPoster } from './copy-poster.ts';
import { resultWriter, type WriteResult, type WriteResultNeeds, type WrittenResult } from './write-result.ts';

interface Needs extends WriteResultNeeds {
  readonly engines: Engines;
  readonly ids: Pick<Ids, 'secret'>;
}

interface Copying {
  readonly metrics: ServiceMetrics;
  readonly writeResult: WriteResult;
}

/** Why a result is not kept: its file is not what such a task results in, or longer than what was paid for. */
export type Unkept = 'unusable' | 'too-long';

type Facts = Pick<StoredResult, 'width' | 'height'> & { readonly contentType: MediaType };

const engineFailed = (cause: unknown): never => {
  throw Object.assign(new Error('a result could not be downloaded', { cause }), { name: engineFault });
};

/** The bytes of an output, up to the limit. An error while reading is attributed to the engine, not to the storage. */
async function* outputBytes({ body }: EngineDownload, maxBytes: number) {
  try {
    yield* limitBytes(body, maxBytes);
  } catch (error) {
    if (error instanceof TooManyBytes) throw error;
    engineFailed(error);
  }
}

/** Rounds a duration to a tenth of a second. */
const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Identifies a file by its first bytes; undefined if no task of this kind may result in such a file. */
async function factsOf(kind: MediaKind, head: Uint8Array): Promise<Facts | undefined> {
  if (kind === 'image') return readImageHead(head);
  const sniffed = await sniffType(head);
  const contentType = resultLimits[kind].types.find((type) => type === sniffed?.contentType);
  return contentType && { contentType };
}

type Write = (body: AsyncIterable<Uint8Array>) => Promise<WrittenResult>;

interface Copy extends ResultPlace {
  readonly kind: MediaKind;
  readonly task: Pick<Task, 'taskId' | 'taskType' | 'resultsSecret' | 'promise'>;
  readonly output: EngineOutput;
  /** The duration that was paid for; undefined if the price does not depend on it. */
  readonly paidSeconds: number | undefined;
}

/** Encoders make files slightly longer, and both durations are rounded. */
const toleratedSeconds = 1;

const tooLong = ({ paidSeconds }: Copy, seconds: number): MediaProblem | undefined =>
  paidSeconds !== undefined && seconds > paidSeconds + toleratedSeconds
    ? outOfLimits('is longer than what was paid for')
    : undefined;

const endless = (copy: Copy): MediaProblem =>
  tooLong(copy, Number.POSITIVE_INFINITY) ?? invalid('is too long to be measured');

const isPromised = (video: MeasuredVideo, { task, output }: Copy): boolean =>
  (!task.promise || keepsPromise(video, task.promise)) && lastsAsCut(video, output.clip);

/**
 * Stores a video while its index is read, which may be at the end; a video that breaks the promise is not completed.
 */
async function writeVideo(body: AsyncIterable<Uint8Array>, copy: Copy, write: Write) {
  // The container reader is large, so it is imported only if there is something to measure.
  const { measureVideo } = await import('../media/measure-result.ts');
  let video: MeasuredVideo | undefined;
  const watch = async (seen: AsyncIterable<Uint8Array>) => {
    const found = await measureVideo(seen);
    if (found === 'endless') return endless(copy);
    video = found;
    if (!video) return invalid('is not a video');
    return tooLong(copy, video.durationSec) ?? (isPromised(video, copy) ? undefined : invalid('is not as promised'));
  };
  const written = await write(watchedCopy(body, watch));
  return video && { ...written, width: video.width, height: video.height, durationSec: rounded(video.durationSec) };
}

/** Stores audio while it is measured; audio longer than what was paid for is not completed. */
async function writeSound(body: AsyncIterable<Uint8Array>, copy: Copy, write: Write) {
  const { measureSound } = await import('../media/measure-result.ts');
  let seconds: number | undefined;
  const watch = async (seen: AsyncIterable<Uint8Array>) => {
    const found = await measureSound(seen);
    if (found === 'endless') return endless(copy);
    seconds = found;
    return seconds === undefined ? invalid('is not sound') : tooLong(copy, seconds);
  };
  const written = await write(watchedCopy(body, watch));
  return seconds === undefined ? undefined : { ...written, durationSec: rounded(seconds) };
}

async function writeFile(body: AsyncIterable<Uint8Array>, copy: Copy, write: Write) {
  if (copy.kind === 'video') return writeVideo(body, copy, write);
  return copy.kind === 'audio' ? writeSound(body, copy, write) : write(body);
}

const isUnkept = (result: StoredResult | Unkept): result is Unkept => typeof result === 'string';

/** Whether a result is longer than what was paid for; a file that may be that long can also have too many bytes. */
const isExcess = (error: unknown, contract: Parameters<typeof isPricedByFile>[0]): boolean =>
  error instanceof UnusableCopy
    ? error.problem.problem === 'outOfLimits'
    : error instanceof TooManyBytes && isPricedByFile(contract);

/** Copies one result, or returns why it is not kept. */
export async function copyResult(
  { metrics, writeResult }: Copying,
  engine: Pick<Engine, 'download'>,
  copy: Copy,
): Promise<StoredResult | Unkept> {
  const { kind, task, output } = copy;
  const { maxBytes } = resultLimits[kind];
  const contract = generationOf(task.taskType);
  const download = await engine.download(output).catch(engineFailed);
  // The header is enough to reject a file that is announced as too large.
  const isTooLarge = (download.bytes ?? 0) > maxBytes;
  const peek =
    kind === 'image' ? { maxBytes: inputLimits.image.maxBytes, isEnough: showsImage } : { maxBytes: imageHeadBytes };
  const peeked = await peekStream(outputBytes(download, maxBytes), isTooLarge ? { maxBytes: 1 } : peek);
  try {
    if (peeked.next === 'failure') throw peeked.failure;
    if (isTooLarge) throw new TooManyBytes();
    const facts = await factsOf(kind, peeked.head);
    if (!facts) return 'unusable';
    const { contentType } = facts;
    const key = resultKey(task, copy, mediaTypes[contentType].extension);
    const write: Write = (body) => writeResult(key, { body: completeCopy(body), contentType, bytes: download.bytes });
    const written = await writeFile(peeked.body, copy, write);
    return written ? { ...facts, ...written, key } : 'unusable';
  } catch (error) {
    // An overlong result is not retried, because downloading the file again would not change it.
    if (isExcess(error, contract)) {
      metrics.record({ ResultsTooLong: 1 }, { operation: contract.operationId });
      return 'too-long';
    }
    if (error instanceof TooManyBytes || error instanceof UnusableCopy) return 'unusable';
    throw error;
  } finally {
    await peeked.close();
  }
}

/** Copies a result and its poster, if the engine provides a usable one. */
async function withPoster(
  needs: Needs,
  writeResult: WriteResult,
  engine: Engine,
  copy: Copy,
  sourceType: DigitalSourceType,
): Promise<StoredResult | Unkept> {
  const { metrics } = needs;
  const result = await copyResult({ metrics, writeResult }, engine, copy);
  if (isUnkept(result)) return result;
  const isMarked = needs.provenance.maxBytes > 0;
  const posterKey = await copyPoster(needs.bucket, engine, { ...copy, sourceType: isMarked ? sourceType : undefined });
  const { clip } = copy.output;
  return { ...result, ...(posterKey !== undefined && { posterKey }), ...(clip && { clip }) };
}

/** The number of results that was paid for, how many are required, and how long they may be. */
function paidFor({ input, derived, taskType }: Task) {
  const rules = generationOf(taskType);
  const request = { ...input, ...derived };
  const count = resultCountOf(rules, request);
  return { count, min: Math.min(count, rules.minResults ?? count), paidSeconds: paidSecondsOf(rules, request) };
}

/** Concurrent copies are limited, because each upload and each reader of a video buffers many megabytes. */
const simultaneousCopies = 4;
/** How often a result that may be missing is downloaded, since a download can fail temporarily. */
const fetchAttempts = 2;

const isUnfetched = (error: unknown): boolean => error instanceof Error && error.name === engineFault;

/**
 * Copies the outputs in order, or returns why fewer than `min` were kept.
 * @throws if more downloads fail than may be missing
 */
async function copyAll(
  copies: readonly Copy[],
  min: number,
  copy: (copy: Copy) => Promise<StoredResult | Unkept>,
): Promise<readonly StoredResult[] | Unkept> {
  const results: (StoredResult | undefined)[] = [];
  const lost: Unkept[] = [];
  let pending = copies;
  for (let attempt = 1; attempt <= fetchAttempts; attempt += 1) {
    const unfetched: Copy[] = [];
    const take = async (one: Copy) => {
      try {
        const result = await copy(one);
        if (isUnkept(result)) lost.push(result);
        else results[one.position] = result;
      } catch (error) {
        if (!isUnfetched(error) || copies.length - lost.length - unfetched.length <= min) throw error;
        unfetched.push(one);
      }
    };
    for (let first = 0; first < pending.length; first += simultaneousCopies) {
      await Promise.all(pending.slice(first, first + simultaneousCopies).map(take));
      if (copies.length - lost.length < min) return lost.includes('too-long') ? 'too-long' : 'unusable';
    }
    pending = unfetched;
  }
  return results.filter((result) => result !== undefined);
}

const attemptBytes = 4;

/** Copies all results of a task, or returns why the engine's files are not what such a task promises. */
export async function copyResults(
  needs: Needs,
  task: Task,
  outputs: readonly EngineOutput[],
): Promise<readonly StoredResult[] | Unkept> {
  const engine = needs.engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  const kind = generationOf(task.taskType).medium;
  const { count, min, paidSeconds } = paidFor(task);
  const attempt = needs.ids.secret(attemptBytes);
  const copies = outputs
    .slice(0, count)
    .map((output, index): Copy => ({ kind, task, output, position: index + 1, attempt, paidSeconds }));
  if (copies.length < min) return 'unusable';
  const writeResult = resultWriter(needs, task);
  const sourceType = digitalSourceTypeOf(task);
  return copyAll(copies, min, (copy) => withPoster(needs, writeResult, engine, copy, sourceType));
}
