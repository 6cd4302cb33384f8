/** A job of the offline engine: its state, its end and its public representation. */
import type { Clock } from '../shared/platform/clock.ts';
import type { Ids } from '../shared/platform/ids.ts';
import type { OfflineEngineFailure } from './offline-engine-settings.ts';
import type { OutputFile } from './operation.ts';
import type { InputProblem } from './work-failure.ts';

interface JobFault {
  readonly code: string;
  readonly message: string;
  readonly problem?: InputProblem;
}

export interface Job {
  readonly id: string;
  /** Whose job it is: the places to download are shared among groups. */
  readonly group: string;
  readonly reference: string;
  readonly callbackUrl: string | undefined;
  readonly operation: string;
  /** The client's validated input. */
  readonly input: unknown;
  readonly failure: OfflineEngineFailure;
  /** Aborts when the job is canceled or the engine closes. */
  readonly stop: AbortController;
  /** Aborts once the status is final. */
  readonly over: AbortController;
  /** Whether the job downloads or waits to work on what it has downloaded, or will download when it starts. */
  isDownloading: boolean;
  status: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
  /** The progress, an integer from 0 to 100. */
  progress: number;
  files: readonly OutputFile[];
  error: JobFault | undefined;
  /** When the job ended, in milliseconds since the epoch. */
  endedAt: number | undefined;
}

type JobOrder = Pick<Job, 'id' | 'group' | 'operation' | 'input' | 'failure' | 'callbackUrl' | 'isDownloading'>;

export const newJob = (ids: Ids, order: JobOrder): Job => ({
  ...order,
  reference: ids.secret(16),
  stop: new AbortController(),
  over: new AbortController(),
  status: 'queued',
  progress: 0,
  files: [],
  error: undefined,
  endedAt: undefined,
});

export const advance = (job: Job, percent: number): void => {
  job.progress = Math.min(99, Math.max(job.progress, Math.floor(percent)));
};

type Ending =
  | { readonly status: 'done'; readonly progress: 100; readonly files: readonly OutputFile[] }
  | { readonly status: 'failed'; readonly error: JobFault }
  | { readonly status: 'canceled' };

/** Ends a job; only the first end counts. */
export const endJob = (job: Job, clock: Clock, ending: Ending): void => {
  if (job.over.signal.aborted) return;
  Object.assign(job, ending, { endedAt: clock.now() });
  job.over.abort();
};

/** A job's output in the public representation: images have dimensions in pixels, audio a duration, videos both. */
type JobOutput = Omit<OutputFile, 'fileName' | 'posterName'> & { readonly url: string; readonly posterUrl?: string };

export interface JobReport {
  readonly reference: string;
  readonly status: Job['status'];
  readonly progress: number;
  readonly outputs?: readonly JobOutput[];
  readonly error?: JobFault;
}

const outputOf = ({ fileName, posterName, ...rest }: OutputFile, filesUrl: string): JobOutput => ({
  url: `${filesUrl}/${fileName}`,
  ...rest,
  ...(posterName !== undefined && { posterUrl: `${filesUrl}/${posterName}` }),
});

export const jobReport = (job: Job, baseUrl: string): JobReport => ({
  reference: job.reference,
  status: job.status,
  progress: job.progress,
  ...(job.status === 'done' && {
    outputs: job.files.map((file) => outputOf(file, `${baseUrl}/v1/files`)),
  }),
  ...(job.error && { error: job.error }),
});
