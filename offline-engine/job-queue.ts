/** Schedules jobs: a few work and some download concurrently, and the others wait in order. */
import type { Clock } from '../shared/platform/clock.ts';
import { advance, endJob, type Job } from './job.ts';
import type { OutputFile, WorkContext } from './operation.ts';
import { WorkFailure } from './work-failure.ts';

/** How a running job reports to the queue. */
export type JobTurn = Pick<WorkContext, 'progress' | 'startWorking'>;

interface JobQueueOptions {
  readonly clock: Clock;
  /** How many jobs work concurrently. */
  readonly slots: number;
  /** How many jobs download concurrently, beside those that work; those of one group are at most half as many. */
  readonly downloads: number;
  readonly perform: (job: Job, turn: JobTurn) => Promise<readonly OutputFile[]>;
  /** Called once, when the job starts. */
  readonly started: (job: Job) => void;
  /** Receives a log line when an operation fails. */
  readonly onFailure?: ((line: string) => void) | undefined;
}

/** A job that waits to download or to work. */
interface Waiting {
  readonly job: Job;
  readonly isDownload: boolean;
  readonly start: () => void;
}

export interface JobQueue {
  add(job: Job): void;
  cancel(job: Job): void;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
}

const faultOf = (job: Job, error: unknown, onFailure: JobQueueOptions['onFailure']) => {
  if (error instanceof WorkFailure) {
    const { code, message, problem } = error;
    onFailure?.(`The offline engine could not complete job ${job.reference} (${job.operation}): ${code}: ${message}`);
    return { code, message, ...(problem && { problem }) };
  }
  console.error(`The offline engine failed to run job ${job.reference}:`, error);
  return { code: 'PROVIDER_ERROR', message: 'The job failed: see the log of the offline engine.' };
};

/** Starts jobs in order of arrival, except that those that may not start yet are passed by. */
const waitingLine = (canStart: (job: Job, isDownload: boolean) => boolean) => {
  const waiting: Waiting[] = [];
  return {
    add: (one: Waiting) => void waiting.push(one),
    startReady() {
      for (;;) {
        const next = waiting.findIndex(({ job, isDownload }) => job.over.signal.aborted || canStart(job, isDownload));
        const [first] = next === -1 ? [] : waiting.splice(next, 1);
        if (!first) return;
        first.start();
      }
    },
  };
};

export const jobQueue = ({ clock, slots, downloads, perform, started, onFailure }: JobQueueOptions): JobQueue => {
  const running = new Map<Job, Promise<void>>();

  const run = async (job: Job) => {
    job.status = 'running';
    started(job);
    try {
      const progress = (percent: number) => advance(job, percent);
      const files = await perform(job, { progress, startWorking: () => startWorking(job) });
      endJob(job, clock, { status: 'done', progress: 100, files });
    } catch (error) {
      if (!job.over.signal.aborted) endJob(job, clock, { status: 'failed', error: faultOf(job, error, onFailure) });
    }
    running.delete(job);
    waiting.startReady();
  };
  /** A job that was told to hang neither works nor downloads; one that waits to work keeps its place to download. */
  const runningJobs = (isDownloading: boolean) =>
    [...running.keys()].filter((job) => job.failure !== 'hang' && job.isDownloading === isDownloading);
  const canDownload = ({ group }: Job) => {
    const downloading = runningJobs(true);
    return downloading.length < downloads && downloading.filter((one) => one.group === group).length < downloads / 2;
  };
  const waiting = waitingLine((job, isDownload) => (isDownload ? canDownload(job) : runningJobs(false).length < slots));
  const startWorking = (job: Job) =>
    new Promise<void>((resolve) => {
      const start = () => {
        job.isDownloading = false;
        resolve();
      };
      waiting.add({ job, isDownload: false, start });
      waiting.startReady();
    });

  return {
    add(job) {
      const start = () => {
        if (job.status === 'queued') running.set(job, run(job));
      };
      waiting.add({ job, isDownload: job.isDownloading, start });
      // The start is deferred, because the response to a new job says that it is queued.
      setImmediate(() => waiting.startReady());
    },
    cancel(job) {
      endJob(job, clock, { status: 'canceled' });
      job.stop.abort();
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
};
