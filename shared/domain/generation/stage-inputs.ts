/** The files that an input names, copied into the service's own storage: engines only get files that were checked. */
import { generationOf } from '../../contracts/generate.ts';
import { outputPixelsLimit } from '../../contracts/generate-images.ts';
import { type InputLimits, inputLimits, type MediaKind, type MediaType, mediaTypes } from '../../contracts/media.ts';
import { addressesIn, pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Bucket } from '../../platform/bucket.ts';
import { sniffType } from '../../platform/content-type.ts';
import type { ImageHead } from '../../platform/image-head.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { PeekedStream } from '../../platform/peek-stream.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
import type { InputCopies } from '../engine-jobs/submit-job.ts';
import { imageIn, peekImage } from '../media/image.ts';
import {
  isProblem,
  type MediaProblem,
  outOfLimits,
  problemOfFailure,
  problemText,
  unsupported,
} from '../media/media-problem.ts';
import { openInput } from '../media/open-input.ts';
import { inputKey, type Task } from '../tasks/task.ts';

interface Needs {
  readonly inputs: Bucket;
  readonly outbound: Outbound;
}

type Input = Readonly<Record<string, unknown>>;

/** Why a task cannot be given to an engine; `detail` names the field and the reason. */
export interface StagingFailure {
  readonly status: 'failed';
  readonly code: 'DOWNLOAD_FAILED' | 'INPUT_INVALID';
  readonly detail: string;
}

/** Two attempts and a submission fit into the step's own time limit. */
const fetchMs = 8_000;

/** Engines read their inputs while they work, and may begin late. */
const readableSeconds = 3600;

/** What is wrong with an image whose enlargement would have too many pixels. */
const growthProblem = ({ width, height }: ImageHead, { scale }: Input): MediaProblem | undefined =>
  typeof scale === 'number' && width * height * scale ** 2 > outputPixelsLimit
    ? outOfLimits(`would have more than ${outputPixelsLimit / 1e6} megapixels at ${scale} times its size`)
    : undefined;

interface Staging {
  readonly task: Task;
  readonly url: string;
  readonly position: number;
  readonly kind: MediaKind;
  readonly limits: InputLimits;
}

/** A file of a known kind that is not accepted is called by its name: `GIF is not supported`. */
async function named(problem: MediaProblem, head: Uint8Array, { types }: InputLimits): Promise<MediaProblem> {
  const sniffed = problem.problem === 'invalid' ? await sniffType(head) : undefined;
  return sniffed && !types.some((type) => type === sniffed.contentType) ? unsupported(sniffed.name) : problem;
}

/** The type of an image whose first bytes tell that it may be used. */
async function imageType(peeked: PeekedStream, { task, limits }: Staging): Promise<MediaType | MediaProblem> {
  const image = imageIn(peeked, limits);
  if (isProblem(image)) return named(image, peeked.head, limits);
  return growthProblem(image, task.input) ?? image.contentType;
}

/** Copies a file into the bucket, once it is known that it may be used; gives its key. */
async function copy(
  { inputs }: Needs,
  { body }: OutboundStream,
  staging: Staging,
  knownType: MediaType | undefined,
): Promise<string | MediaProblem> {
  const peeked = await peekImage(body);
  const contentType = knownType ?? (await imageType(peeked, staging));
  if (typeof contentType !== 'string') return contentType;
  const key = inputKey(staging.task, staging.position, mediaTypes[contentType].extension);
  try {
    await inputs.write(key, { body: peeked.body, contentType });
    return key;
  } catch (error) {
    return problemOfFailure(error, staging.limits);
  }
}

/** The type of a sound or a video that may be used. Loaded only where there is one: the reader of containers is large. */
async function probedType({ outbound }: Needs, { url, kind, limits }: Staging) {
  if (kind === 'image') return undefined;
  const { probeMedia } = await import('../media/probe-media.ts');
  const facts = await probeMedia(outbound, url, { kind, limits, timeoutMs: fetchMs });
  return isProblem(facts) ? facts : facts.contentType;
}

async function attempt(needs: Needs, staging: Staging): Promise<string | MediaProblem> {
  const knownType = await probedType(needs, staging);
  if (typeof knownType === 'object') return knownType;
  const stream = await openInput(needs.outbound, staging.url, staging.limits, { timeoutMs: fetchMs });
  if (isProblem(stream)) return stream;
  try {
    return await copy(needs, stream, staging, knownType);
  } finally {
    stream.close();
  }
}

async function stage(needs: Needs, staging: Staging): Promise<string | MediaProblem> {
  const first = await attempt(needs, staging);
  const mayPass = typeof first !== 'string' && first.problem === 'unreachable';
  return mayPass ? attempt(needs, staging) : first;
}

/** A copy of a value with the text at a path replaced. */
function replaced(value: unknown, [step, ...rest]: UserAddress['path'], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((member, index) => (index === step ? replaced(member, rest, text) : member));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replaced(members[step], rest, text) };
}

const failureOf = (field: string, problem: MediaProblem): StagingFailure => ({
  status: 'failed',
  code: problem.problem === 'unreachable' ? 'DOWNLOAD_FAILED' : 'INPUT_INVALID',
  detail: problemText(field, problem),
});

/**
 * The task's input with URLs of our own, readable for an hour; or why one of its files cannot be used. Files that an
 * earlier attempt has copied are not fetched again.
 */
export async function stageInputs(
  needs: Needs,
  task: Task,
  copies: InputCopies,
): Promise<{ input: Input } | StagingFailure> {
  const addresses = [...addressesIn(generationOf(task.taskType).body, task.input)];
  const stagings = addresses.map(({ text: url, leadsTo, limits }, index) => {
    // The callback address is kept beside the input, not in it.
    const kind = leadsTo === 'receiver' ? 'image' : leadsTo;
    return { task, url, position: index + 1, kind, limits: limits ?? inputLimits[kind] };
  });
  const isCopied = copies.keys?.length === stagings.length;
  const staged = isCopied ? (copies.keys ?? []) : await Promise.all(stagings.map((staging) => stage(needs, staging)));
  const keys: string[] = [];
  for (const [index, key] of staged.entries()) {
    if (typeof key !== 'string') return failureOf(pathText(addresses[index]?.path ?? []), key);
    keys.push(key);
  }
  if (!isCopied && keys.length > 0) await copies.record(keys);
  let input: unknown = task.input;
  for (const [index, key] of keys.entries()) {
    const address = await needs.inputs.addressOf(key, readableSeconds);
    input = replaced(input, addresses[index]?.path ?? [], address);
  }
  return { input: input as Input };
}
