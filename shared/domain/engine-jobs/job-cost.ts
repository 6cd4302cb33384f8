/**
 * What an engine job costs, in millionths of a US dollar: what its provider says that it charges, otherwise the price
 * that was in force when the task was created.
 */
import type { ChargedEnd, EnginePrice } from '../../catalog/engine-price.ts';
import { countCodePoints } from '../../contracts/code-points.ts';
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { EngineCharge } from '../../engines/engine.ts';
import type { Task } from '../tasks/task.ts';
import type { EngineJobState } from './engine-job.ts';

/** A result as far as it matters for the cost. */
interface Result {
  readonly durationSec?: number | undefined;
}

interface Charged<Charge> {
  readonly charge?: Charge | undefined;
}

/** How an attempt at a job ended, or that nothing is known of its end. */
export type JobEnd =
  | { readonly status: 'open' }
  | (Charged<EngineCharge> & { readonly status: 'done'; readonly outputs: readonly Result[] })
  | (Charged<EngineCharge | 'full'> & {
      readonly status: 'failed';
      readonly code: TaskErrorCode;
      readonly isOwn?: true | undefined;
    });

type Priced = Pick<Task, 'derived' | 'enginePrices' | 'input' | 'promise'>;

/** The kind of a job by its name: `cut-01` is a `cut`. */
const kindOf = (name: string): string => name.replace(/-\d+$/, '');

/** What the engine charges for a kind of job, by the job's name. */
export const priceOf = ({ enginePrices = {} }: Priced, name: string): EnginePrice | undefined =>
  enginePrices[kindOf(name)];

const given = (...numbers: readonly unknown[]): number | undefined =>
  numbers.find((one): one is number => typeof one === 'number');

/** The seconds of audio or video that the task as a whole is about. */
const secondsOf = ({ derived = {}, input, promise }: Priced): number =>
  given(promise?.durationSec, derived.durationSec, derived.seconds, input.durationSec) ?? 0;

/** ElevenLabs counts a minute of a recording as this many characters. */
const charactersPerMinute = 1000;

const charactersOf = (task: Priced): number =>
  typeof task.input.text === 'string'
    ? countCodePoints(task.input.text)
    : Math.ceil((secondsOf(task) * charactersPerMinute) / 60);

/** The length of a clip, if it is known; without results, that of an equal part of the video. */
function clipSeconds(task: Priced, outputs: readonly Result[]): number {
  const lengths = outputs.flatMap(({ durationSec }) => durationSec ?? []);
  if (lengths.length > 0) return lengths.reduce((sum, one) => sum + one, 0);
  return Math.ceil(secondsOf(task) / (given(task.derived?.clipCount, task.input.clipCount) ?? 1));
}

/** How many units a job takes by the request, and by its results once there are any. */
function unitsOf({ per }: EnginePrice, task: Priced, name: string, outputs: readonly Result[]): number {
  switch (per) {
    case 'output':
      return outputs.length || (given(task.input.numImages, task.derived?.clipCount) ?? 1);
    case 'second':
      return kindOf(name) === 'cut' ? clipSeconds(task, outputs) : secondsOf(task);
    case 'character':
      return charactersOf(task);
    default:
      return 1;
  }
}

/** A job of which the service does not await the outcome counts as canceled, if no more is known of it. */
function endOf(end: Exclude<JobEnd, { status: 'done' }>): ChargedEnd {
  if (end.status === 'open') return 'canceled';
  switch (end.code) {
    case 'CONTENT_REJECTED':
    case 'INPUT_INVALID':
      return 'rejected';
    case 'PROVIDER_ERROR':
    case 'DOWNLOAD_FAILED':
      return 'failed';
    default:
      return 'canceled';
  }
}

/**
 * The cost of what a provider says that it charges: zero for no units; otherwise undefined if the price of its units is
 * unknown.
 */
function statedCost({ statedMicros }: EnginePrice, { units }: EngineCharge): number | undefined {
  if (units === 0) return 0;
  return statedMicros === undefined ? undefined : Math.round(units * statedMicros);
}

/**
 * Of a job with results: the cost that the provider states, and the cost by the price in the catalog; undefined if the
 * provider states none.
 */
export function chargesOf(
  task: Priced,
  name: string,
  end: JobEnd,
): { readonly stated: number; readonly listed: number; readonly unit: number } | undefined {
  const price = priceOf(task, name);
  if (end.status !== 'done' || !end.charge?.units || price?.statedMicros === undefined) return undefined;
  const listed = Math.round(unitsOf(price, task, name, end.outputs) * price.micros);
  return { stated: Math.round(end.charge.units * price.statedMicros), listed, unit: price.statedMicros };
}

/** What the latest submission of a job costs. `isAccepted` says whether the engine has ever accepted it. */
export function submissionCost(task: Priced, job: { name: string; isAccepted: boolean }, end: JobEnd): number {
  const price = priceOf(task, job.name);
  if (!price || (end.status === 'failed' && end.isOwn)) return 0;
  const outputs = end.status === 'done' ? end.outputs : [];
  const units = unitsOf(price, task, job.name, outputs);
  const charge = end.status === 'open' ? undefined : end.charge;
  const stated = charge && charge !== 'full' ? statedCost(price, charge) : undefined;
  if (stated !== undefined) return stated;
  if (end.status === 'done' || charge === 'full') return Math.round(units * price.micros);
  const way = endOf(end);
  const isCharged = price.charged.includes(way) && (job.isAccepted || way === 'rejected');
  return isCharged ? Math.round(units * price.micros) : 0;
}

/** What the earlier submissions of a job cost, which the engine has lost. */
function lostCost(
  task: Priced,
  { name, lostReferences = [] }: Pick<EngineJobState, 'lostReferences'> & { name: string },
) {
  const price = priceOf(task, name);
  if (!price?.charged.includes('lost')) return 0;
  return lostReferences.length * Math.round(unitsOf(price, task, name, []) * price.micros);
}

/** What all submissions of a job cost. */
export const jobCost = (task: Priced, job: EngineJobState & { readonly name: string }): number =>
  lostCost(task, job) +
  (job.costMicros ?? submissionCost(task, { name: job.name, isAccepted: job.reference !== undefined }, openEnd));

/** How a job ended of which no outcome was recorded. */
export const openEnd: JobEnd = { status: 'open' };
