/** Schedules jobs: a few work and some download concurrently, and the others wait in order. */
import type { Clock } from '../shared/platform/clock.ts';
import { advance, endJob, type Job } from './job.ts';
import type { OutputFile } from './operation.ts';
import { WorkFailure } from './work-failure.ts';

interface JobQueueOptions {
  readonly clock: Clock;
  /** How many jobs work concurrently. */
  readonly slots: number;
  /** How many jobs download concurrently, beside those that work. */
  readonly downloads: number;
  readonly perform: (job: Job, progress: (percent: number) => void) => Promise<readonly OutputFile[]>;
  /** Called once, when the job starts. */
  readonly started: (job: Job) => void;
  /** Receives a log line when an operation fails. */
  readonly onFailure?: ((line: string) => void) | undefined;
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

export const jobQueue = ({ clock, slots, downloads, perform, started, onFailure }: JobQueueOptions): JobQueue => {
  const waiting: Job[] = [];
  const running = new Map<Job, Promise<void>>();

  const run = async (job: Job) => {
    job.status = 'running';
    started(job);
    try {
      const files = await perform(job, (percent) => {
        advance(job, percent);
        startWaiting();
      });
      endJob(job, clock, { status: 'done', progress: 100, files });
    } catch (error) {
      if (!job.over.signal.aborted) endJob(job, clock, { status: 'failed', error: faultOf(job, error, onFailure) });
    }
    running.delete(job);
    startWaiting();
  };
  /** A job that was told to hang neither works nor downloads. */
  const downloading = () => [...running.keys()].filter((job) => job.failure !== 'hang' && job.isDownloading).length;
  const working = () => [...running.keys()].filter((job) => job.failure !== 'hang' && !job.isDownloading).length;
  const canStart = (job: Job) =>
    // A job works as soon as it has downloaded its file, so that none starts to download while all slots are taken.
    job.status !== 'queued' || (working() < slots && (!job.isDownloading || downloading() < downloads));
  const startWaiting = () => {
    for (;;) {
      const next = waiting.findIndex(canStart);
      const [job] = next === -1 ? [] : waiting.splice(next, 1);
      if (!job) return;
      if (job.status === 'queued') running.set(job, run(job));
    }
  };

  return {
    add(job) {
      waiting.push(job);
      // The start is deferred, because the response to a new job says that it is queued.
      setImmediate(startWaiting);
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
