/** The queue of requests: each is accepted or rejected, waits for a free slot, runs and ends. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../api-server.ts';
import { defaultBehavior, type FalBehavior, requestedBehavior, type SubmissionOutcome } from './fal-behavior.ts';
import type { ModelInput } from './fal-endpoint.ts';
import { falEndpoints } from './fal-endpoints.ts';
import { type FalReply, faultReply, queueFault } from './fal-faults.ts';

export interface Submission {
  /** The full id of the model's endpoint. */
  readonly endpoint: string;
  readonly input: ModelInput;
  readonly webhook: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface FalJob extends Submission {
  readonly requestId: string;
  readonly behavior: FalBehavior;
  /** Aborted when the request is canceled. */
  readonly stop: AbortController;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED';
  /** The response to a request for the result, once the job is completed. */
  reply: FalReply | undefined;
}

interface FalQueueOptions {
  /** How many requests of the account run concurrently; others wait. */
  readonly concurrency: number;
  readonly honorsIdempotencyKeys: boolean;
  /** The default behavior of requests to an endpoint. */
  readonly behaviorOf: (endpoint: string) => Partial<FalBehavior>;
  readonly newId: () => string;
  readonly queueUrl: () => string;
  /** Performs a job. Must not reject; the signal aborts when the result is no longer needed. */
  readonly work: (job: FalJob, signal: AbortSignal) => Promise<FalReply>;
  /** Called once for each request that was not canceled. */
  readonly ended: (job: FalJob) => void;
}

const keptJobs = 1000;

/** The owner and alias of an endpoint; URLs of requests omit the rest of its id. */
const appOf = (endpoint: string): string => endpoint.split('/').slice(0, 2).join('/');

const rejection = (outcome: SubmissionOutcome): Answer => {
  if (outcome === 'hang') return outcome;
  const { status, retryAfterSeconds, type } = outcome;
  const { headers, body } = type ? faultReply(type) : { headers: {}, body: { detail: 'Not now' } };
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { status, headers: { ...headers, ...retryAfter }, body };
};

const hasPassed = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  sleep(milliseconds, true, { signal }).catch(() => false);

/**
 * Identifies repeated submissions of one job by their idempotency key, or else by their input, so that the first
 * attempt can be rejected and the second accepted.
 */
const submitterOf = ({ endpoint, input, idempotencyKey }: Submission): string =>
  idempotencyKey ??
  createHash('sha256')
    .update(JSON.stringify([endpoint, input]))
    .digest('hex');

/** Slots for running jobs, each of which is given to the job that has waited longest. */
function slots(count: number) {
  const waiting: { readonly job: FalJob; readonly start: (isFree: boolean) => void }[] = [];
  let taken = 0;
  const giveNext = () => {
    while (taken < count && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.start(true);
    }
  };
  return {
    /** Resolves with false if the signal aborts first. */
    take: (job: FalJob, signal: AbortSignal): Promise<boolean> =>
      new Promise((start) => {
        const entry = { job, start };
        waiting.push(entry);
        signal.addEventListener('abort', () => {
          const at = waiting.indexOf(entry);
          if (at >= 0) waiting.splice(at, 1);
          start(false);
        });
        giveNext();
      }),
    giveBack() {
      taken -= 1;
      giveNext();
    },
    positionOf: (job: FalJob): number => Math.max(0, waiting.map((one) => one.job).indexOf(job)),
  };
}

/** Runs jobs until they end, are canceled or the queue closes. */
function runner({ concurrency, work, ended }: Pick<FalQueueOptions, 'concurrency' | 'work' | 'ended'>) {
  const closing = new AbortController();
  const inProgress = new Set<Promise<void>>();
  const slot = slots(concurrency);

  const run = async (job: FalJob, signal: AbortSignal): Promise<void> => {
    job.status = 'IN_PROGRESS';
    if (!(await hasPassed(job.behavior.runMs, signal))) return;
    const reply = await work(job, signal);
    if (signal.aborted) return;
    Object.assign(job, { status: 'COMPLETED', reply });
    ended(job);
  };
  const follow = async (job: FalJob): Promise<void> => {
    const signal = AbortSignal.any([job.stop.signal, closing.signal]);
    if (!(await hasPassed(job.behavior.queueMs, signal)) || !(await slot.take(job, signal))) return;
    await run(job, signal).finally(() => slot.giveBack());
  };
  return {
    add(job: FalJob): void {
      const followed = follow(job).finally(() => inProgress.delete(followed));
      inProgress.add(followed);
    },
    positionOf: (job: FalJob) => slot.positionOf(job),
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(inProgress);
    },
  };
}

const canceled = queueFault('client_cancelled', 'The request was cancelled');

function cancel(job: FalJob): FalReply {
  const { status } = job;
  if (status === 'COMPLETED') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  Object.assign(job, { status: 'COMPLETED', reply: canceled });
  job.stop.abort();
  return status === 'IN_QUEUE'
    ? { status: 200, body: { status: 'OK' } }
    : { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
}

/** Jobs by id, of which the oldest are dropped. For each submission: the number of attempts, and the accepted job. */
function jobBook({ behaviorOf, newId, honorsIdempotencyKeys }: FalQueueOptions) {
  const jobs = new Map<string, FalJob>();
  const attempts = new Map<string, number>();
  const accepted = new Map<string, FalJob>();
  return {
    find: (id: string) => jobs.get(id),
    /** The job that was accepted for the same idempotency key. */
    known: (submission: Submission): FalJob | undefined =>
      honorsIdempotencyKeys && submission.idempotencyKey ? accepted.get(submitterOf(submission)) : undefined,
    /** A new job, or the rejection that its behavior has for this attempt. */
    open(submission: Submission): FalJob | { readonly rejected: Answer } {
      const { endpoint, input } = submission;
      const behavior = { ...defaultBehavior, ...behaviorOf(endpoint), ...requestedBehavior(input) };
      const submitter = submitterOf(submission);
      const attempt = attempts.get(submitter) ?? 0;
      attempts.set(submitter, attempt + 1);
      const outcome = behavior.submissions[attempt];
      if (outcome) return { rejected: rejection(outcome) };
      const state = { stop: new AbortController(), status: 'IN_QUEUE', reply: undefined } as const;
      const job: FalJob = { ...submission, ...state, requestId: newId(), behavior };
      if (behavior.isForgotten) return job;
      jobs.set(job.requestId, job);
      accepted.set(submitter, job);
      const [oldest] = jobs.keys();
      if (jobs.size > keptJobs && oldest !== undefined) jobs.delete(oldest);
      return job;
    },
  };
}

export function falQueue(options: FalQueueOptions) {
  const book = jobBook(options);
  const running = runner(options);
  const addressesOf = ({ requestId, endpoint }: FalJob) => {
    const address = `${options.queueUrl()}/${appOf(endpoint)}/requests/${requestId}`;
    return { response_url: address, status_url: `${address}/status`, cancel_url: `${address}/cancel` };
  };
  const receipt = (job: FalJob): FalReply => {
    const ids = { request_id: job.requestId, gateway_request_id: job.requestId };
    return {
      status: 200,
      body: { status: 'IN_QUEUE', ...ids, ...addressesOf(job), queue_position: running.positionOf(job) },
    };
  };
  return {
    submit(submission: Submission): Answer {
      const { endpoint } = submission;
      if (!Object.hasOwn(falEndpoints, endpoint)) {
        return { status: 404, body: { detail: `Application ${JSON.stringify(endpoint)} not found` } };
      }
      const known = book.known(submission);
      if (known) return receipt(known);
      const job = book.open(submission);
      if ('rejected' in job) return job.rejected;
      running.add(job);
      return receipt(job);
    },
    /** Finds a request by its id and the app in its URL. */
    find(app: string, requestId: string): FalJob | undefined {
      const job = book.find(requestId);
      return job && appOf(job.endpoint) === app ? job : undefined;
    },
    statusOf(job: FalJob): FalReply {
      const { status, requestId, behavior } = job;
      const head = { status, request_id: requestId, ...addressesOf(job) };
      if (status === 'IN_QUEUE') return { status: 202, body: { ...head, queue_position: running.positionOf(job) } };
      if (status === 'IN_PROGRESS') return { status: 202, body: { ...head, logs: [] } };
      return { status: 200, body: { ...head, logs: [], metrics: { inference_time: behavior.runMs / 1000 } } };
    },
    cancel,
    /** Stops every request. */
    close: () => running.close(),
  };
}

export type FalQueue = ReturnType<typeof falQueue>;
