/** Copies the files of a request into the service's own storage, so that engines get only files that were checked. */
import { outputPixelsLimit } from '../../contracts/image-files.ts';
import { type InputLimits, type MediaType, mediaTypes } from '../../contracts/media.ts';
import { pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { ImageHead } from '../../media-files/image-head.ts';
import type { MeasuringHost } from '../../media-files/read-media.ts';
import type { Bucket } from '../../platform/bucket.ts';
import type { Clock } from '../../platform/clock.ts';
import { sniffType } from '../../platform/content-type.ts';
import type { PeekedStream } from '../../platform/peek-stream.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
import type { InputCopies, UncopiedInput } from '../engine-jobs/submit-job.ts';
import type { AccountInputs } from '../files/account-inputs.ts';
import { imageIn, peekImage } from '../media/image.ts';
import {
  invalid,
  isProblem,
  type MediaProblem,
  outOfLimits,
  problemOfFailure,
  problemText,
  unsupported,
} from '../media/media-problem.ts';
import { openInput } from '../media/open-input.ts';
import { tryTwice } from '../media/try-twice.ts';
import { completeCopy, UnusableCopy, watchedCopy } from '../media/watched-copy.ts';
import { inputKey, sourceKey, type Task } from '../tasks/task.ts';
import { conditionOn, isCopiedFirst } from './copied-first.ts';
import { type FileAddress, fieldOf, fileAddressesOf } from './file-addresses.ts';
import { otherDuration, tooLongIfFalse } from './measured-again.ts';

interface Needs {
  readonly clock: Clock;
  readonly inputs: Bucket;
  /** Opens the files of the task's account. */
  readonly outbound: Pick<AccountInputs, 'isUpload' | 'lend' | 'open'>;
  readonly measuring?: MeasuringHost;
}

type Input = Readonly<Record<string, unknown>>;

/** Why a task's input cannot be submitted to an engine; `detail` names the field and the reason. */
export interface StagingFailure {
  readonly status: 'failed';
  readonly code: 'DOWNLOAD_FAILED' | 'INPUT_INVALID';
  readonly detail: string;
  /** Whether a file has more media than was paid for. */
  readonly isTooLong?: true;
}

/** The time limit of all attempts together, so that a submission fits into the step's own limit. */
export const stagingMs = 36_000;
/** The minimum time for copying a file, however small. */
const minMs = 8_000;
/** The slowest accepted server speed. */
const slowestBytesPerSecond = 4 * 2 ** 20;

/** How long copying a file of a given size may take. */
const allowanceMs = (bytes: number): number => Math.max(minMs, Math.ceil((bytes / slowestBytesPerSecond) * 1000));

/** How long the URLs of the copies are readable: engines read inputs while they work, and may start late. */
const readableSeconds = 3600;

/** The problem of an image whose upscaled version would have too many pixels. */
const growthProblem = ({ width, height }: ImageHead, { scale }: Input): MediaProblem | undefined =>
  typeof scale === 'number' && width * height * scale ** 2 > outputPixelsLimit
    ? outOfLimits(`would have more than ${outputPixelsLimit / 1e6} megapixels at ${scale} times its size`)
    : undefined;

interface StagedFile {
  readonly task: Task;
  readonly url: string;
  readonly position: number;
  readonly limits: InputLimits;
  /** When copying must end, including all attempts. */
  readonly deadlineAt: number;
}

type Image = StagedFile & { readonly kind: 'image' };

type Recording = StagedFile & {
  readonly kind: 'audio' | 'video';
  /** The duration measured when the task was created, if the cost depends on it. */
  readonly measuredSeconds: number | undefined;
};

type Staging = Image | Recording;

/** Names a recognized file type that is not accepted: `must be a PNG file, not GIF`. */
async function named(problem: MediaProblem, head: Uint8Array, { types }: InputLimits): Promise<MediaProblem> {
  const sniffed = problem.problem === 'invalid' ? await sniffType(head) : undefined;
  return sniffed && !types.some((type) => type === sniffed.contentType) ? unsupported(sniffed.name, types) : problem;
}

/** The type of an image that is acceptable by its first bytes. */
async function imageType(peeked: PeekedStream, { task, limits }: Image): Promise<MediaType | MediaProblem> {
  const image = imageIn(peeked, limits);
  if (isProblem(image)) return named(image, peeked.head, limits);
  return growthProblem(image, task.input) ?? image.contentType;
}

/** Copies a file of a known type into the bucket and returns its key. */
async function write(
  { inputs }: Needs,
  { task, position, limits }: StagedFile,
  contentType: MediaType,
  body: AsyncIterable<Uint8Array>,
): Promise<string | MediaProblem> {
  const key = inputKey(task, position, mediaTypes[contentType].extension);
  try {
    await inputs.write(key, { body, contentType });
    return key;
  } catch (error) {
    return error instanceof UnusableCopy ? error.problem : problemOfFailure(error, limits);
  }
}

/** The time limit is at least a millisecond, so that a request without time left fails as a timeout. */
const timeLeftMs = ({ clock }: Needs, { deadlineAt }: StagedFile, allowedMs: number): number =>
  Math.max(1, Math.min(allowedMs, deadlineAt - clock.now()));

async function copied(
  needs: Needs,
  file: StagedFile,
  copy: (stream: OutboundStream) => Promise<string | MediaProblem>,
): Promise<string | MediaProblem> {
  const { url, limits } = file;
  const timeoutMs = timeLeftMs(needs, file, allowanceMs(limits.maxBytes));
  const stream = await openInput(needs.outbound, url, limits, { timeoutMs });
  if (isProblem(stream)) return stream;
  try {
    return await copy(stream);
  } finally {
    stream.close();
  }
}

const copyImage = (needs: Needs, image: Image) =>
  copied(needs, image, async (stream) => {
    const peeked = await peekImage(stream.body);
    const contentType = await imageType(peeked, image);
    return typeof contentType === 'string' ? write(needs, image, contentType, completeCopy(peeked.body)) : contentType;
  });

/**
 * Probes a file before it is downloaded and again while it is copied, because a server need not send the same file
 * twice.
 */
async function copyRecording(needs: Needs, recording: Recording): Promise<string | MediaProblem> {
  // The container reader is large, so it is imported only if there is a recording.
  const { probeMedia, probeStream } = await import('../media/probe-media.ts');
  const expected = { ...recording, measuring: needs.measuring };
  const probed = await probeMedia(needs.outbound, recording.url, {
    ...expected,
    timeoutMs: timeLeftMs(needs, recording, minMs),
    isReadAgain: true,
  });
  if (isProblem(probed)) return tooLongIfFalse(probed, recording);
  const changed = otherDuration(probed, recording);
  if (changed) return changed;
  const watch = async (seen: Pick<OutboundStream, 'body' | 'headers'>) => {
    const facts = await probeStream(seen, expected);
    if (isProblem(facts)) return tooLongIfFalse(facts, recording);
    return facts.contentType === probed.contentType
      ? otherDuration(facts, recording)
      : invalid('changed while it was being downloaded');
  };
  return copied(needs, recording, ({ headers, body }) => {
    const copy = watchedCopy(body, (seen) => watch({ headers, body: seen }));
    return write(needs, recording, probed.contentType, copy);
  });
}

const attempt = (needs: Needs, staging: Staging): Promise<string | MediaProblem> =>
  staging.kind === 'image' ? copyImage(needs, staging) : copyRecording(needs, staging);

const stage = (needs: Needs, staging: Staging): Promise<string | MediaProblem> =>
  tryTwice(() => attempt(needs, staging));

/** The limits of a field's files, narrowed by what the task's route accepts. */
export function limitsFor(task: Task, address: FileAddress): InputLimits {
  const { limits } = address;
  const condition = conditionOn(task, fieldOf(address));
  if (!condition) return limits;
  const { given: _given, links: _links, ...narrower } = condition;
  return { ...limits, ...narrower };
}

/** Whether the workflow opens the original URL itself. */
const isOpenedLater = ({ engine }: Task, { isRemote }: FileAddress): boolean => isRemote === true && engine === 'clips';

interface Access {
  readonly staged: readonly FileAddress[];
  /** Uploads whose storage URL is passed to the engine, because their content cannot change. */
  readonly lent: readonly (readonly [FileAddress, url: string])[];
  /** Files that the workflow copies before the engine may download them. */
  readonly copied: readonly FileAddress[];
}

/**
 * How each file is passed to the engine. Remote files are not copied by this step, except uploads whose content can
 * still change.
 */
async function accessOf({ outbound }: Needs, task: Task): Promise<Access> {
  const staged: FileAddress[] = [];
  const lent: (readonly [FileAddress, string])[] = [];
  const copied: FileAddress[] = [];
  for (const address of fileAddressesOf(task)) {
    if (!address.isRemote) staged.push(address);
    else if (outbound.isUpload(address.text) && !isOpenedLater(task, address)) {
      const url = await outbound.lend(address.text, readableSeconds);
      if (url === undefined) staged.push(address);
      else lent.push([address, url]);
    } else if (isCopiedFirst(task, fieldOf(address))) copied.push(address);
  }
  return { staged, lent, copied };
}

/** What is wrong with an upload that the engine downloads itself; nothing measures it after this. */
async function lentProblem(
  needs: Needs,
  task: Task,
  address: FileAddress,
  deadlineAt: number,
): Promise<StagingFailure | undefined> {
  const { leadsTo: kind, path, text } = address;
  if (kind === 'image') return undefined;
  const { probeMedia } = await import('../media/probe-media.ts');
  const recording = { measuredSeconds: task.measuredSeconds?.[pathText(path)] };
  const facts = await tryTwice(() =>
    probeMedia(needs.outbound, text, {
      kind,
      counts: 'longest',
      limits: limitsFor(task, address),
      measuring: needs.measuring,
      timeoutMs: Math.max(1, deadlineAt - needs.clock.now()),
      isThorough: true,
    }),
  );
  const problem = isProblem(facts) ? tooLongIfFalse(facts, recording) : otherDuration(facts, recording);
  return problem && stagingFailure(pathText(path), problem);
}

/** A copy of a value, with another text at a path. */
function replaced(value: unknown, [step, ...rest]: UserAddress['path'], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((member, index) => (index === step ? replaced(member, rest, text) : member));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replaced(members[step], rest, text) };
}

export const stagingFailure = (field: string, problem: MediaProblem): StagingFailure => ({
  status: 'failed',
  code: problem.problem === 'unreachable' ? 'DOWNLOAD_FAILED' : 'INPUT_INVALID',
  detail: problemText(field, problem),
  ...(problem.isTooLong && { isTooLong: true }),
});

/**
 * The task's input and derived values, with URLs of the service's own storage that are readable for an hour; or why a
 * file cannot be used, or not yet. Files that an earlier attempt has copied are not downloaded again.
 */
export async function stageInputs(
  needs: Needs,
  task: Task,
  copies: InputCopies,
): Promise<{ input: Input } | StagingFailure | UncopiedInput> {
  const { staged: addresses, lent, copied: others } = await accessOf(needs, task);
  const source = sourceKey(task.taskId);
  if (others.length > 0 && !copies.keys?.includes(source)) return { status: 'uncopied' };
  const deadlineAt = needs.clock.now() + stagingMs;
  const problems = await Promise.all(lent.map(([address]) => lentProblem(needs, task, address, deadlineAt)));
  const problem = problems.find((one) => one !== undefined);
  if (problem) return problem;
  const stagings = addresses.map((address, index): Staging => {
    const { text: url, leadsTo: kind, path } = address;
    const file = { task, url, position: index + 1, limits: limitsFor(task, address), deadlineAt };
    return kind === 'image'
      ? { ...file, kind }
      : { ...file, kind, measuredSeconds: task.measuredSeconds?.[pathText(path)] };
  });
  const copyOf = ({ position }: Staging) => copies.keys?.find((key) => key.startsWith(inputKey(task, position, '')));
  const staged = await Promise.all(stagings.map(async (staging) => copyOf(staging) ?? stage(needs, staging)));
  const keys: string[] = [];
  for (const [index, key] of staged.entries()) {
    if (typeof key !== 'string') return stagingFailure(pathText(addresses[index]?.path ?? []), key);
    keys.push(key);
  }
  const all = [...(others.length > 0 ? [source] : []), ...keys];
  if (keys.some((key) => !copies.keys?.includes(key))) await copies.record(all);
  let input: unknown = { ...task.input, ...task.derived };
  for (const [index, key] of keys.entries()) {
    const address = await needs.inputs.addressOf(key, readableSeconds);
    input = replaced(input, addresses[index]?.path ?? [], address);
  }
  for (const { path } of others) input = replaced(input, path, await needs.inputs.addressOf(source, readableSeconds));
  for (const [{ path }, url] of lent) input = replaced(input, path, url);
  return { input: input as Input };
}
