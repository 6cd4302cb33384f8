/** How the fake treats a job: well, or in one of the ways in which providers and networks fail. */
import { type FalFaultType, falFaultTypes } from './fal-faults.ts';

/** What happens to a submission instead of its being accepted. */
export type SubmissionFate =
  | 'hang'
  | { readonly status: number; readonly retryAfterSeconds?: number; readonly type?: FalFaultType };

/** `older-error` is a true report of an attempt that the queue has since repeated, arriving late. */
export type CallbackKind = 'true' | 'without-payload' | 'older-error' | 'of-another-job' | 'stale' | 'forged';

export interface FalPlay {
  /** One for each attempt; the one after the last is accepted. */
  readonly submissions: readonly SubmissionFate[];
  /** At least, whatever room there is. */
  readonly queueMs: number;
  readonly runMs: number;
  /**
   * `plain-error`: a 500 with a text and no type, as models do that have not been migrated. `undocumented-type`: a
   * rejection of the input whose type is not in the list.
   */
  readonly end: 'done' | 'nsfw' | 'empty' | 'plain-error' | 'undocumented-type' | FalFaultType;
  /** Sent one after the other at the job's end. */
  readonly callbacks: readonly CallbackKind[];
  readonly result: 'there' | 'missing' | 'out-of-order';
  /** The first such job of one submitter is not known any more as soon as it was accepted. */
  readonly isForgotten: boolean;
}

export const plainPlay: FalPlay = {
  submissions: [],
  queueMs: 50,
  runMs: 200,
  end: 'done',
  callbacks: ['true'],
  result: 'there',
  isForgotten: false,
};

const twice = (fate: SubmissionFate) => [fate, fate];

/** By the word that wishes for it; the documented fault types are words too. */
const plays: Readonly<Record<string, Partial<FalPlay>>> = {
  slow: { runMs: 30_000 },
  lost: { callbacks: [] },
  duplicate: { callbacks: ['true', 'true'] },
  reordered: { callbacks: ['true', 'older-error'] },
  'another-job': { callbacks: ['of-another-job', 'true'] },
  forged: { callbacks: ['forged', 'true'] },
  stale: { callbacks: ['stale', 'true'] },
  payload_error: { callbacks: ['without-payload'] },
  'error-in-callback': { end: 'plain-error' },
  'undocumented-type': { end: 'undocumented-type' },
  nsfw: { end: 'nsfw' },
  empty: { end: 'empty' },
  rate_limit: { submissions: twice({ status: 429, retryAfterSeconds: 1 }) },
  '500': { submissions: twice({ status: 500 }) },
  '503': { submissions: twice({ status: 503, type: 'runner_scheduling_failure' }) },
  hang: { submissions: ['hang'] },
  forgotten: { isForgotten: true, callbacks: [] },
  'result-404': { result: 'missing', callbacks: [] },
  'result-500': { result: 'out-of-order', callbacks: [] },
};

export const falWishes: readonly string[] = [...Object.keys(plays), ...falFaultTypes];

/** What an input wishes for, by a word such as `[fal:slow]` anywhere in its texts. */
export const playWishedIn = (input: unknown): Partial<FalPlay> => {
  const [, word = ''] = /\[fal:([a-z0-9_-]+)\]/.exec(JSON.stringify(input) ?? '') ?? [];
  if (Object.hasOwn(plays, word)) return plays[word] ?? {};
  const type = falFaultTypes.find((candidate) => candidate === word);
  return type ? { end: type } : {};
};
