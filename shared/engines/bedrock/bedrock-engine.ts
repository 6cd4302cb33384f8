/**
 * The adapter to Stability's models on Amazon Bedrock. A model answers an invocation with the picture itself: a job is done
 * as soon as it was submitted, and what came with the answer is kept in the service's own storage.
 *
 * Bedrock knows no idempotency of invocations. Whoever ends between an invocation and the keeping of its outcome, or gives
 * up waiting for an answer, invokes the model again: the provider is then paid twice for a task, but the customer never
 * pays twice, for a task is debited once, when it is created.
 */
import type { Clock } from '../../platform/clock.ts';
import { TooManyBytes } from '../../platform/limit-bytes.ts';
import { InvocationFailed, type ModelRuntime } from '../../platform/model-runtime.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome } from '../engine.ts';
import { pictureOf } from './model-answer.ts';
import { modelBody } from './model-body.ts';
import { openStoredFile } from './stored-file.ts';

export interface BedrockEngineAccess {
  readonly runtime: ModelRuntime;
  readonly clock: Clock;
  /** For reading the pictures of an input and the model's answer together. Default: 24 s, which with the fetching of the inputs is less than the step may take. */
  readonly timeLimitMs?: number;
}

/** For a whole result, which is in the service's own storage. */
const downloadMs = 60_000;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** The end of what no further attempt would mend. */
const refusalIn = (error: unknown): EngineOutcome => {
  const isRefused = error instanceof InvocationFailed && error.reason === 'input-refused';
  if (isRefused || error instanceof TooManyBytes) return failed('INPUT_INVALID');
  throw error;
};

const submit = async ({ model, input, keep }: EngineJob, access: Required<BedrockEngineAccess>) => {
  const { runtime, clock, timeLimitMs } = access;
  if (!model) throw new Error('the job names no model of Bedrock');
  const startedAt = clock.now();
  const body = await modelBody(input, timeLimitMs);
  const timeoutMs = Math.max(1, timeLimitMs - (clock.now() - startedAt));
  const made = pictureOf(await runtime.invokeModel(model, body, { timeoutMs }));
  if (typeof made === 'string') return failed(made);
  const { file, description } = made;
  return { status: 'done', outputs: [{ url: await keep(file), ...description }] } satisfies EngineOutcome;
};

/**
 * `submit` throws an Error when a picture of the input cannot be read, when the model is throttled, out of order or too
 * slow, when the account may not use it, and when what it made cannot be kept. Errors tell names of faults, never
 * anybody's own words.
 */
export const bedrockEngine = ({ timeLimitMs = 24_000, ...access }: BedrockEngineAccess): Engine => ({
  submit: (job) => submit(job, { ...access, timeLimitMs }).catch(refusalIn),
  /** No job is ever under way: a reference can only be another engine's. */
  check: async () => ({ status: 'lost' }),
  cancel: async () => undefined,
  readCallback: async () => undefined,
  download: async ({ url }) => ({ body: await openStoredFile(url, downloadMs) }),
});
