/** The way of a request: it waits, runs when there is room, and ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FalReply } from './fal-faults.ts';
import type { FalJob } from './fal-job.ts';
import { turnstile } from './turnstile.ts';

interface FalQueueOptions {
  /** How many requests of the account run at once; others wait. */
  readonly concurrency: number;
  /** Must not reject; the signal aborts when its reply is of no use any more. */
  readonly work: (job: FalJob, signal: AbortSignal) => Promise<FalReply>;
  /** Called once for each request that was not canceled. */
  readonly ended: (job: FalJob) => void;
}

export interface FalQueue {
  add(job: FalJob): void;
  /** 0 is the next one. */
  positionOf(job: FalJob): number;
  cancel(job: FalJob, reply: FalReply): void;
  /** Stops every request. */
  close(): Promise<void>;
}

const hasPassed = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  sleep(milliseconds, true, { signal }).catch(() => false);

export const falQueue = ({ concurrency, work, ended }: FalQueueOptions): FalQueue => {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const room = turnstile<FalJob>(concurrency);

  const run = async (job: FalJob, signal: AbortSignal) => {
    job.status = 'IN_PROGRESS';
    if (!(await hasPassed(job.play.runMs, signal))) return;
    const reply = await work(job, signal);
    if (signal.aborted) return;
    Object.assign(job, { status: 'COMPLETED', reply, inferenceMs: job.play.runMs });
    ended(job);
  };
  const follow = async (job: FalJob) => {
    const signal = AbortSignal.any([job.stop.signal, closing.signal]);
    if (!(await hasPassed(job.play.queueMs, signal)) || !(await room.enter(job, signal))) return;
    await run(job, signal).finally(() => room.leave());
  };

  return {
    add(job) {
      const followed = follow(job).finally(() => underWay.delete(followed));
      underWay.add(followed);
    },
    positionOf: (job) => room.before(job),
    cancel(job, reply) {
      Object.assign(job, { status: 'COMPLETED', reply });
      job.stop.abort();
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
};
