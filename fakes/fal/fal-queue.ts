/** The queue of requests: each waits for a free slot, runs and ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { concurrencyLimit } from './concurrency-limit.ts';
import type { FalReply } from './fal-faults.ts';
import type { FalJob } from './fal-job.ts';

interface FalQueueOptions {
  /** How many requests of the account run concurrently; others wait. */
  readonly concurrency: number;
  /** Performs a job. Must not reject; the signal aborts when the result is no longer needed. */
  readonly work: (job: FalJob, signal: AbortSignal) => Promise<FalReply>;
  /** Called once for each request that was not canceled. */
  readonly ended: (job: FalJob) => void;
}

export interface FalQueue {
  add(job: FalJob): void;
  /** The position in the queue; 0 is next. */
  positionOf(job: FalJob): number;
  cancel(job: FalJob, reply: FalReply): void;
  /** Stops every request. */
  close(): Promise<void>;
}

const hasPassed = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  sleep(milliseconds, true, { signal }).catch(() => false);

export const falQueue = ({ concurrency, work, ended }: FalQueueOptions): FalQueue => {
  const closing = new AbortController();
  const inProgress = new Set<Promise<void>>();
  const slots = concurrencyLimit<FalJob>(concurrency);

  const run = async (job: FalJob, signal: AbortSignal) => {
    job.status = 'IN_PROGRESS';
    if (!(await hasPassed(job.behavior.runMs, signal))) return;
    const reply = await work(job, signal);
    if (signal.aborted) return;
    Object.assign(job, { status: 'COMPLETED', reply, inferenceMs: job.behavior.runMs });
    ended(job);
  };
  const follow = async (job: FalJob) => {
    const signal = AbortSignal.any([job.stop.signal, closing.signal]);
    if (!(await hasPassed(job.behavior.queueMs, signal)) || !(await slots.acquire(job, signal))) return;
    await run(job, signal).finally(() => slots.release());
  };

  return {
    add(job) {
      const followed = follow(job).finally(() => inProgress.delete(followed));
      inProgress.add(followed);
    },
    positionOf: (job) => slots.positionOf(job),
    cancel(job, reply) {
      Object.assign(job, { status: 'COMPLETED', reply });
      job.stop.abort();
    },
    async close() {
      closing.abort();
      await Promise.all(inProgress);
    },
  };
};
