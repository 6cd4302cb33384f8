/** Creates, performs, finds and cancels jobs. */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../../shared/platform/clock.ts';
import type { Reply } from '../api-server.ts';
import { type ConvertedOutput, convertClip } from './convert-clip.ts';
import { faultReply, JobFailed, jobErrors } from './mediaconvert-faults.ts';
import { JobRequest, type JobSettings, SearchRequest } from './mediaconvert-job.ts';

interface Job {
  readonly id: string;
  /** The settings as received. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly inputFile: string | undefined;
  status: 'SUBMITTED' | 'PROGRESSING' | 'COMPLETE' | 'CANCELED' | 'ERROR';
  errorCode?: number;
  outputs?: readonly ConvertedOutput[];
}

interface MediaConvertJobsOptions {
  readonly storage: S3Client;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly end: 'never' | { readonly errorCode: number } | undefined;
}

export interface MediaConvertJobs {
  readonly created: readonly JobSettings[];
  create(body: unknown): Reply;
  find(id: string): Reply;
  search(query: unknown): Reply;
  cancel(id: string): Reply;
  close(): Promise<void>;
}

const tokenMs = 60_000;

const viewOf = ({ id, given, status, errorCode, outputs }: Job) => ({
  job: {
    id,
    ...given,
    status,
    ...(status === 'PROGRESSING' && { jobPercentComplete: 42 }),
    ...(errorCode !== undefined && { errorCode, errorMessage: 'The fake failed' }),
    ...(outputs && { outputGroupDetails: [{ outputDetails: outputs }] }),
  },
});

const isOpen = ({ status }: Job) => status === 'SUBMITTED' || status === 'PROGRESSING';

const missing = (id: string): Reply => faultReply('NotFoundException', `There is no job ${id}`);

/** Searches jobs, which are in order of creation. */
function searchJobs(jobs: readonly Job[], query: unknown): Reply {
  const { data, error } = SearchRequest.safeParse(query);
  if (!data) return faultReply('BadRequestException', error.issues.map(({ message }) => message).join('; '));
  const { inputFile = '', queue, status, order, maxResults, nextToken } = data;
  const matching = jobs.filter(
    (job) =>
      (job.inputFile ?? '').includes(inputFile) &&
      (queue === undefined || job.given.queue === queue) &&
      (status === undefined || job.status === status),
  );
  const ordered = order === 'ASCENDING' ? matching : matching.toReversed();
  const end = nextToken + maxResults;
  const found = ordered.slice(nextToken, end).map((job) => viewOf(job).job);
  return { status: 200, body: { jobs: found, ...(end < ordered.length && { nextToken: String(end) }) } };
}

async function perform(
  job: Job,
  settings: JobSettings,
  { storage, end }: Pick<MediaConvertJobsOptions, 'storage' | 'end'>,
): Promise<void> {
  job.status = 'PROGRESSING';
  if (end === 'never') return;
  try {
    if (end) throw new JobFailed(end.errorCode);
    const outputs = await convertClip(storage, settings);
    if (isOpen(job)) Object.assign(job, { status: 'COMPLETE', outputs });
  } catch (error) {
    const errorCode = error instanceof JobFailed ? error.code : jobErrors.unknown;
    if (isOpen(job)) Object.assign(job, { status: 'ERROR', errorCode });
  }
}

export function mediaConvertJobs(options: MediaConvertJobsOptions): MediaConvertJobs {
  const { clock, newId } = options;
  const jobs = new Map<string, Job>();
  const tokens = new Map<string, { readonly job: Job; readonly at: number }>();
  const created: JobSettings[] = [];
  const inProgress = new Set<Promise<void>>();

  return {
    created,
    create(body) {
      const { data, error } = JobRequest.safeParse(body);
      if (!data) return faultReply('BadRequestException', error.issues.map(({ message }) => message).join('; '));
      const token = data.clientRequestToken ?? newId();
      const known = tokens.get(token);
      if (known && clock.now() - known.at < tokenMs) return { status: 201, body: viewOf(known.job) };
      const inputFile = data.settings.inputs[0]?.fileInput;
      const job: Job = { id: newId(), given: body as Job['given'], inputFile, status: 'SUBMITTED' };
      jobs.set(job.id, job);
      tokens.set(token, { job, at: clock.now() });
      created.push(data.settings);
      const view = viewOf(job);
      const performed = perform(job, data.settings, options).finally(() => inProgress.delete(performed));
      inProgress.add(performed);
      return { status: 201, body: view };
    },
    find(id) {
      const job = jobs.get(id);
      return job ? { status: 200, body: viewOf(job) } : missing(id);
    },
    search: (query) => searchJobs([...jobs.values()], query),
    cancel(id) {
      const job = jobs.get(id);
      if (!job) return missing(id);
      if (!isOpen(job)) return faultReply('ConflictException', 'The job has ended');
      job.status = 'CANCELED';
      return { status: 202, body: {} };
    },
    async close() {
      await Promise.all(inProgress);
    },
  };
}
