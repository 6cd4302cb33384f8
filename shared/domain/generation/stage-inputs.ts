/** The files that an input names, copied into the service's own storage: engines only get files that were checked. */
import { generationOf } from '../../contracts/generate.ts';
import { outputPixelsLimit } from '../../contracts/generate-images.ts';
import { type InputLimits, inputLimits, mediaTypes } from '../../contracts/media.ts';
import { addressesIn, pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Bucket } from '../../platform/bucket.ts';
import { sniffType } from '../../platform/content-type.ts';
import type { ImageHead } from '../../platform/image-head.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { OutboundStream } from '../../platform/safe-fetch.ts';
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
  readonly limits: InputLimits;
}

/** A file of a known kind that is not accepted is called by its name: `GIF is not supported`. */
async function named(problem: MediaProblem, head: Uint8Array, { types }: InputLimits): Promise<MediaProblem> {
  const sniffed = problem.problem === 'invalid' ? await sniffType(head) : undefined;
  return sniffed && !types.some((type) => type === sniffed.contentType) ? unsupported(sniffed.name) : problem;
}

/** Copies a file into the bucket, once its first bytes tell that it may be used; gives its key. */
async function copy(
  { inputs }: Needs,
  { body }: OutboundStream,
  { task, position, limits }: Staging,
): Promise<string | MediaProblem> {
  const peeked = await peekImage(body);
  const image = imageIn(peeked, limits);
  if (isProblem(image)) return named(image, peeked.head, limits);
  const problem = growthProblem(image, task.input);
  if (problem) return problem;
  const key = inputKey(task, position, mediaTypes[image.contentType].extension);
  try {
    await inputs.write(key, { body: peeked.body, contentType: image.contentType });
    return key;
  } catch (error) {
    return problemOfFailure(error, limits);
  }
}

async function attempt(needs: Needs, staging: Staging): Promise<string | MediaProblem> {
  const stream = await openInput(needs.outbound, staging.url, staging.limits, { timeoutMs: fetchMs });
  if (isProblem(stream)) return stream;
  try {
    return await copy(needs, stream, staging);
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

/** The task's input with URLs of our own, readable for an hour; or why one of its files cannot be used. */
export async function stageInputs(needs: Needs, task: Task): Promise<{ input: Input } | StagingFailure> {
  const addresses = [...addressesIn(generationOf(task.taskType).body, task.input)];
  const stagings = addresses.map(({ text: url }, index) => ({
    task,
    url,
    position: index + 1,
    limits: inputLimits.image,
  }));
  const keys = await Promise.all(stagings.map((staging) => stage(needs, staging)));
  let input: unknown = task.input;
  for (const [index, key] of keys.entries()) {
    const path = addresses[index]?.path ?? [];
    if (typeof key !== 'string') return failureOf(pathText(path), key);
    input = replaced(input, path, await needs.inputs.addressOf(key, readableSeconds));
  }
  return { input: input as Input };
}
