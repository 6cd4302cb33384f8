/** How the fake processes a job: successfully, or with one of the faults of providers and networks. */
import { type FalFaultType, falFaultTypes } from './fal-faults.ts';

/** The outcome of a submission that is not accepted. */
export type SubmissionOutcome =
  | 'hang'
  | { readonly status: number; readonly retryAfterSeconds?: number; readonly type?: FalFaultType };

export type CallbackKind = 'true' | 'without-payload' | 'stale' | 'forged';

export interface FalBehavior {
  /** One outcome per attempt at submitting the job; attempts beyond these are accepted. */
  readonly submissions: readonly SubmissionOutcome[];
  /** The minimum wait in the queue, even if a slot is free. */
  readonly queueMs: number;
  readonly runMs: number;
  /**
   * `plain-error`: a 500 with plain text, as unmigrated models return. `undocumented-type`: a rejection of the input
   * with an undocumented type.
   */
  readonly end: 'done' | 'nsfw' | 'empty' | 'plain-error' | 'undocumented-type' | FalFaultType;
  /** The callbacks to send, in order, at the job's end. */
  readonly callbacks: readonly CallbackKind[];
  readonly result: 'there' | 'missing' | 'out-of-order';
  /** Whether the job is lost as soon as it has been accepted. */
  readonly isForgotten: boolean;
}

export const defaultBehavior: FalBehavior = {
  submissions: [],
  queueMs: 50,
  runMs: 200,
  end: 'done',
  callbacks: ['true'],
  result: 'there',
  isForgotten: false,
};

const twice = (outcome: SubmissionOutcome) => [outcome, outcome];

/** The behavior for each word that can be in an input; documented error types can be used as words, too. */
const behaviors: Readonly<Record<string, Partial<FalBehavior>>> = {
  lost: { callbacks: [] },
  duplicate: { callbacks: ['true', 'true'] },
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

/** The behavior that an input requests with a word such as `[fal:lost]` in any of its texts. */
export const requestedBehavior = (input: unknown): Partial<FalBehavior> => {
  const [, word = ''] = /\[fal:([a-z0-9_-]+)\]/.exec(JSON.stringify(input)) ?? [];
  if (Object.hasOwn(behaviors, word)) return behaviors[word] ?? {};
  const type = falFaultTypes.find((candidate) => candidate === word);
  return type ? { end: type } : {};
};
