/** The files that an input names, copied into the service's own storage: what engines are given is ours, and was looked at. */
import { generationOf } from '../../contracts/generate.ts';
import { outputPixelsLimit } from '../../contracts/generate-images.ts';
import { addressesIn, type UserAddress } from '../../contracts/user-addresses.ts';
import type { EngineFailure } from '../../engines/engine.ts';
import type { Bucket } from '../../platform/bucket.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { extensionOf } from '../media/media-type.ts';
import { fetchPicture, type Picture, type PictureProblem } from '../media/picture.ts';
import { inputKey, type Task } from '../tasks/task.ts';

interface Needs {
  readonly inputs: Bucket;
  readonly outbound: Outbound;
}

type Input = Readonly<Record<string, unknown>>;

/** Twice this and a submission fit into the step's own time limit. */
const fetchMs = 8_000;

/** Engines read their inputs while they work, and may begin late. */
const readableSeconds = 3600;

const failureOf: Readonly<Record<PictureProblem, EngineFailure>> = {
  unreachable: 'DOWNLOAD_FAILED',
  'too-heavy': 'INPUT_INVALID',
  unreadable: 'INPUT_INVALID',
  'too-large': 'INPUT_INVALID',
};

async function fetchPatiently(outbound: Outbound, url: string): Promise<Picture | PictureProblem> {
  const first = await fetchPicture(outbound, url, fetchMs);
  return first === 'unreachable' ? fetchPicture(outbound, url, fetchMs) : first;
}

/** Whether what is to be made of a picture would have more pixels than are made. */
const growsTooLarge = ({ width, height }: Picture, { scale }: Input): boolean =>
  typeof scale === 'number' && width * height * scale ** 2 > outputPixelsLimit;

async function stage({ inputs, outbound }: Needs, task: Task, url: string, position: number) {
  const picture = await fetchPatiently(outbound, url);
  if (typeof picture === 'string') return failureOf[picture];
  if (growsTooLarge(picture, task.input)) return 'INPUT_INVALID';
  const { bytes, contentType } = picture;
  const key = inputKey(task, position, extensionOf('image', contentType) ?? 'bin');
  await inputs.write(key, { body: [bytes], contentType });
  return { address: await inputs.addressOf(key, readableSeconds) };
}

/** A copy of a value in which something else stands at a path. */
function replaced(value: unknown, [step, ...rest]: UserAddress['path'], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((member, index) => (index === step ? replaced(member, rest, text) : member));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replaced(members[step], rest, text) };
}

/** The task's input with addresses of our own, readable for an hour; or why one of its files can not be used. */
export async function stageInputs(needs: Needs, task: Task): Promise<Input | EngineFailure> {
  const addresses = [...addressesIn(generationOf(task.taskType).body, task.input)];
  const staged = await Promise.all(addresses.map(({ text }, index) => stage(needs, task, text, index + 1)));
  let input: unknown = task.input;
  for (const [index, copy] of staged.entries()) {
    if (typeof copy === 'string') return copy;
    input = replaced(input, addresses[index]?.path ?? [], copy.address);
  }
  return input as Input;
}
