/**
 * Adapter to Stability's models on Amazon Bedrock. A model returns the image in its response, so a job is done when it
 * is submitted, and the image is copied to the service's own storage.
 *
 * Bedrock's invocations are not idempotent. If a process times out, or ends between an invocation and storing its
 * result, the model is invoked again: the service then pays the provider twice, but the customer does not, because a
 * task is debited once, when it is created.
 */
import type { Clock } from '../../platform/clock.ts';
import { TooManyBytes } from '../../platform/limit-bytes.ts';
import { InvocationFailed, type ModelRuntime } from '../../platform/model-runtime.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome } from '../engine.ts';
import { openStoredFile } from '../stored-file.ts';
import { modelBody } from './model-body.ts';
import { imageOf } from './model-response.ts';

export interface BedrockEngineAccess {
  readonly runtime: Pick<ModelRuntime, 'invokeModel'>;
  readonly clock: Clock;
  /**
   * The time limit for reading the input images and invoking the model together. Default: 24 s, less than the workflow
   * step may take.
   */
  readonly timeLimitMs?: number;
}

/** The time limit for downloading a result from the service's own storage. */
const downloadMs = 60_000;

const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

/** The outcome for errors that a retry would not fix; other errors are thrown. */
const outcomeOfError = (error: unknown): EngineOutcome => {
  const isRejected = error instanceof InvocationFailed && error.reason === 'input-rejected';
  if (isRejected || error instanceof TooManyBytes) return failed('INPUT_INVALID');
  throw error;
};

const submit = async ({ model, input, keep }: EngineJob, access: Required<BedrockEngineAccess>) => {
  const { runtime, clock, timeLimitMs } = access;
  if (!model) throw new Error('the job names no Bedrock model');
  const startedAt = clock.now();
  const body = await modelBody(input, timeLimitMs);
  const timeoutMs = Math.max(1, timeLimitMs - (clock.now() - startedAt));
  const made = imageOf(await runtime.invokeModel(model, body, { timeoutMs }));
  if (typeof made === 'string') return failed(made);
  const { file, description } = made;
  return { status: 'done', outputs: [{ url: await keep(file), ...description }] } satisfies EngineOutcome;
};

/**
 * Creates the engine. `submit` throws an Error if an input image cannot be read, if the model is throttled, unavailable
 * or too slow, if the account has no access to it, or if its result cannot be stored. Errors contain only error names,
 * never text of users or providers.
 */
export const bedrockEngine = ({ timeLimitMs = 24_000, ...access }: BedrockEngineAccess): Engine => ({
  submit: (job) => submit(job, { ...access, timeLimitMs }).catch(outcomeOfError),
  /** Bedrock's jobs are never in progress, so a reference can only belong to another engine. */
  check: async () => ({ status: 'lost' }),
  cancel: async () => undefined,
  readCallback: async () => undefined,
  download: async ({ url }) => ({ body: await openStoredFile(url, downloadMs) }),
});
