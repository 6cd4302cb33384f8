/** The files that an input names, copied into the service's own storage: engines only get files that were checked. */
import { allRoutesOf } from '../../catalog/engines.ts';
import { generationOf } from '../../contracts/generate.ts';
import { outputPixelsLimit } from '../../contracts/generate-images.ts';
import { type InputLimits, type MediaType, mediaTypes } from '../../contracts/media.ts';
import { addressesIn, pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { ImageHead } from '../../media-files/image-head.ts';
import type { StartMeasuring } from '../../media-files/read-media.ts';
import type { Bucket } from '../../platform/bucket.ts';
import type { Clock } from '../../platform/clock.ts';
import { sniffType } from '../../platform/content-type.ts';
import type { PeekedStream } from '../../platform/peek-stream.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
import type { InputCopies } from '../engine-jobs/submit-job.ts';
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
import type { MediaFacts } from '../media/probe-media.ts';
import { completeCopy, UnusableCopy, watchedCopy } from '../media/watched-copy.ts';
import { inputKey, type Task } from '../tasks/task.ts';
import { isFileCondition } from './choose-route.ts';

interface Needs {
  readonly clock: Clock;
  readonly inputs: Bucket;
  /** Opens the files of the task's account. */
  readonly outbound: Pick<AccountInputs, 'isUpload' | 'lend' | 'open'>;
  readonly startMeasuring?: StartMeasuring;
}

type Input = Readonly<Record<string, unknown>>;

/** Why a task cannot be given to an engine; `detail` names the field and the reason. */
export interface StagingFailure {
  readonly status: 'failed';
  readonly code: 'DOWNLOAD_FAILED' | 'INPUT_INVALID';
  readonly detail: string;
}

/** All attempts together, so that a submission fits into the step's own time limit. */
export const stagingMs = 36_000;
/** What is small has this long, however fast it could be. */
const leastMs = 8_000;
/** Slower servers cannot send the largest files. */
const slowestBytesPerSecond = 4 * 2 ** 20;

/** How long a file of so many bytes may take. */
const allowanceMs = (bytes: number): number => Math.max(leastMs, Math.ceil((bytes / slowestBytesPerSecond) * 1000));

/** Engines read their inputs while they work, and may begin late. */
const readableSeconds = 3600;

/** What is wrong with an image whose enlargement would have too many pixels. */
const growthProblem = ({ width, height }: ImageHead, { scale }: Input): MediaProblem | undefined =>
  typeof scale === 'number' && width * height * scale ** 2 > outputPixelsLimit
    ? outOfLimits(`would have more than ${outputPixelsLimit / 1e6} megapixels at ${scale} times its size`)
    : undefined;

interface StagedFile {
  readonly task: Task;
  readonly url: string;
  readonly position: number;
  readonly limits: InputLimits;
  /** When no attempt may go on. */
  readonly deadlineAt: number;
}

type Image = StagedFile & { readonly kind: 'image' };

type Recording = StagedFile & {
  readonly kind: 'audio' | 'video';
  /** What was measured when the task was created, if the cost depends on it. */
  readonly measuredSeconds: number | undefined;
};

type Staging = Image | Recording;

/** Measurements are rounded to a tenth, so servers that pack the same file anew may be off by one. */
const toleratedTenths = 1;

/** A recognized file type that is not accepted is named: `must be a PNG file, not GIF`. */
async function named(problem: MediaProblem, head: Uint8Array, { types }: InputLimits): Promise<MediaProblem> {
  const sniffed = problem.problem === 'invalid' ? await sniffType(head) : undefined;
  return sniffed && !types.some((type) => type === sniffed.contentType) ? unsupported(sniffed.name, types) : problem;
}

/** The type of an image whose first bytes show that it is acceptable. */
async function imageType(peeked: PeekedStream, { task, limits }: Image): Promise<MediaType | MediaProblem> {
  const image = imageIn(peeked, limits);
  if (isProblem(image)) return named(image, peeked.head, limits);
  return growthProblem(image, task.input) ?? image.contentType;
}

/** A file that is not as long as the one that the client was charged for, and that the result was promised for. */
const otherDuration = ({ durationSec }: MediaFacts, { measuredSeconds }: Recording): MediaProblem | undefined =>
  measuredSeconds !== undefined && Math.round(Math.abs(durationSec - measuredSeconds) * 10) > toleratedTenths
    ? outOfLimits(`is now ${durationSec} seconds long; it was ${measuredSeconds} when the task was created`)
    : undefined;

/** Copies a file whose type is known into the bucket and returns its key. */
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

/** At least a millisecond: a request that has no time fails as one that took too long. */
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

/** Probed before it is downloaded, and again while it is copied: a server need not send the same file twice. */
async function copyRecording(needs: Needs, recording: Recording): Promise<string | MediaProblem> {
  // Loaded only where there is a recording: the reader of containers is large.
  const { probeMedia, probeStream } = await import('../media/probe-media.ts');
  const expected = { ...recording, startMeasuring: needs.startMeasuring };
  const probed = await probeMedia(needs.outbound, recording.url, {
    ...expected,
    timeoutMs: timeLeftMs(needs, recording, leastMs),
  });
  if (isProblem(probed)) return probed;
  const changed = otherDuration(probed, recording);
  if (changed) return changed;
  const watch = async (seen: AsyncIterable<Uint8Array>) => {
    const facts = await probeStream(seen, expected);
    if (isProblem(facts)) return facts;
    return facts.contentType === probed.contentType
      ? otherDuration(facts, recording)
      : invalid('changed while it was being downloaded');
  };
  return copied(needs, recording, ({ body }) => write(needs, recording, probed.contentType, watchedCopy(body, watch)));
}

const attempt = (needs: Needs, staging: Staging): Promise<string | MediaProblem> =>
  staging.kind === 'image' ? copyImage(needs, staging) : copyRecording(needs, staging);

async function stage(needs: Needs, staging: Staging): Promise<string | MediaProblem> {
  const first = await attempt(needs, staging);
  const mayPass = typeof first !== 'string' && first.problem === 'unreachable';
  return mayPass ? attempt(needs, staging) : first;
}

type FileAddress = Exclude<UserAddress, { leadsTo: 'receiver' }>;

/** The limits of a field's files, narrowed by what the task's route accepts. */
export function limitsFor({ taskType, route }: Task, { limits, path: [field] }: FileAddress): InputLimits {
  const condition = allRoutesOf(taskType).find(({ id }) => id === route)?.takes?.[String(field)];
  if (!isFileCondition(condition)) return limits;
  const { given: _given, links: _links, ...narrower } = condition;
  return { ...limits, ...narrower };
}

/** The files of a request, then those that its inspection added. The callback URL is stored beside the input. */
function fileAddressesOf({ taskType, input, derived }: Task): readonly FileAddress[] {
  const contract = generationOf(taskType);
  const added = contract.derived ? addressesIn(contract.derived(), derived) : [];
  return [...addressesIn(contract.body, input), ...added].filter((address) => address.leadsTo !== 'receiver');
}

/** Its workflow opens the task's own URL. */
const isOpenedLater = ({ engine }: Task, { isRemote }: FileAddress): boolean => isRemote === true && engine === 'clips';

interface Access {
  readonly staged: readonly FileAddress[];
  /** Uploads that are lent as they are, because their content cannot change. */
  readonly lent: readonly (readonly [FileAddress, url: string])[];
}

/** Remote files are not copied, except for uploads, which engines can only read at a URL of the storage. */
async function accessOf({ outbound }: Needs, task: Task): Promise<Access> {
  const staged: FileAddress[] = [];
  const lent: (readonly [FileAddress, string])[] = [];
  for (const address of fileAddressesOf(task)) {
    if (!address.isRemote) staged.push(address);
    else if (outbound.isUpload(address.text) && !isOpenedLater(task, address)) {
      const url = await outbound.lend(address.text, readableSeconds);
      if (url === undefined) staged.push(address);
      else lent.push([address, url]);
    }
  }
  return { staged, lent };
}

/** A copy of a value with the text at a path replaced. */
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
});

/**
 * The task's input, and what was derived from it, with URLs of our own, readable for an hour; or why one of its files cannot be used. Files that an
 * earlier attempt has copied are not fetched again.
 */
export async function stageInputs(
  needs: Needs,
  task: Task,
  copies: InputCopies,
): Promise<{ input: Input } | StagingFailure> {
  const { staged: addresses, lent } = await accessOf(needs, task);
  const deadlineAt = needs.clock.now() + stagingMs;
  const stagings = addresses.map((address, index): Staging => {
    const { text: url, leadsTo: kind, path } = address;
    const file = { task, url, position: index + 1, limits: limitsFor(task, address), deadlineAt };
    return kind === 'image'
      ? { ...file, kind }
      : { ...file, kind, measuredSeconds: task.measuredSeconds?.[pathText(path)] };
  });
  const isCopied = copies.keys?.length === stagings.length;
  const staged = isCopied ? (copies.keys ?? []) : await Promise.all(stagings.map((staging) => stage(needs, staging)));
  const keys: string[] = [];
  for (const [index, key] of staged.entries()) {
    if (typeof key !== 'string') return stagingFailure(pathText(addresses[index]?.path ?? []), key);
    keys.push(key);
  }
  if (!isCopied && keys.length > 0) await copies.record(keys);
  let input: unknown = { ...task.input, ...task.derived };
  for (const [index, key] of keys.entries()) {
    const address = await needs.inputs.addressOf(key, readableSeconds);
    input = replaced(input, addresses[index]?.path ?? [], address);
  }
  for (const [{ path }, url] of lent) input = replaced(input, path, url);
  return { input: input as Input };
}
