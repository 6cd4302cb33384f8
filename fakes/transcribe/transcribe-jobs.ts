/** Creates, performs, finds and deletes jobs. */
import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { spokenWords } from '../spoken-words.ts';
import { documentOf, JobName, JobRequest } from './transcribe-job.ts';

export type TranscribeFault =
  | 'AccessDeniedException'
  | 'BadRequestException'
  | 'ConflictException'
  | 'InternalFailureException'
  | 'LimitExceededException'
  | 'NotFoundException'
  | 'ThrottlingException';

/** Thrown for a request that the service rejects. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
  readonly type: TranscribeFault;

  constructor(type: TranscribeFault, message: string) {
    super(message);
    this.type = type;
  }
}

interface Job {
  readonly request: JobRequest;
  status: 'QUEUED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  reason?: string;
}

interface TranscribeJobsOptions {
  readonly storage: S3Client;
  /** The text that transcripts of recordings contain. */
  readonly speech: string | undefined;
  /** The reason why every job fails; `never` leaves jobs in progress. */
  readonly end: string | undefined;
}

type Operation = (body: unknown) => object | Promise<object>;

export interface TranscribeJobs {
  readonly created: readonly JobRequest[];
  /** Operations by their names in the API. */
  readonly operations: Readonly<Record<string, Operation>>;
  close(): Promise<void>;
}

const unsupported = 'Unsupported media format.';
const withoutSpeech =
  'Your audio file must have a speech segment long enough in duration to perform automatic language identification.';

const placeOf = (uri: string) => {
  const [, Bucket = '', Key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
  return { Bucket, Key };
};

const viewOf = ({ request, status, reason }: Job) => ({
  TranscriptionJob: {
    ...request,
    TranscriptionJobStatus: status,
    ...(status === 'COMPLETED' && {
      LanguageCode: 'pt-BR',
      Transcript: {
        TranscriptFileUri: `https://s3.us-east-1.amazonaws.com/${request.OutputBucketName}/${request.OutputKey}`,
      },
    }),
    ...(reason !== undefined && { FailureReason: reason }),
  },
});

async function wordsOf(storage: S3Client, uri: string, speech: string | undefined) {
  const { Body } = await storage.send(new GetObjectCommand(placeOf(uri)));
  return spokenWords(Body as Readable, { speech });
}

const read = <Form>(form: { parse(value: unknown): Form }, body: unknown): Form => {
  try {
    return form.parse(body);
  } catch (error) {
    throw new RequestFault('BadRequestException', (error as Error).message);
  }
};

/** Performs jobs; never rejects. */
function performer({ storage, speech, end }: TranscribeJobsOptions) {
  /** The reason for a failure; undefined for success. */
  async function failureOf({ request }: Job): Promise<string | undefined> {
    if (end !== undefined) return end;
    const words = await wordsOf(storage, request.Media.MediaFileUri, speech);
    if (!words) return unsupported;
    if (words.length === 0) return withoutSpeech;
    const Body = JSON.stringify(documentOf(request.TranscriptionJobName, words));
    await storage.send(new PutObjectCommand({ Bucket: request.OutputBucketName, Key: request.OutputKey, Body }));
    return undefined;
  }

  return async (job: Job): Promise<void> => {
    job.status = 'IN_PROGRESS';
    if (end === 'never') return;
    const reason = await failureOf(job).catch(() => 'Internal failure.');
    Object.assign(job, reason === undefined ? { status: 'COMPLETED' } : { status: 'FAILED', reason });
  };
}

const requireObject = async (storage: S3Client, uri: string): Promise<void> => {
  await storage.send(new HeadObjectCommand(placeOf(uri))).catch(() => {
    throw new RequestFault('BadRequestException', 'The specified S3 URI can’t be accessed.');
  });
};

export function transcribeJobs(options: TranscribeJobsOptions): TranscribeJobs {
  const jobs = new Map<string, Job>();
  const created: JobRequest[] = [];
  const inProgress = new Set<Promise<void>>();
  const perform = performer(options);

  const found = (body: unknown): Job => {
    const job = jobs.get(read(JobName, body).TranscriptionJobName);
    if (!job) throw new RequestFault('NotFoundException', 'The requested job couldn’t be found.');
    return job;
  };

  return {
    created,
    operations: {
      async StartTranscriptionJob(body) {
        const request = read(JobRequest, body);
        const name = request.TranscriptionJobName;
        await requireObject(options.storage, request.Media.MediaFileUri);
        if (jobs.has(name)) throw new RequestFault('ConflictException', 'The requested job name already exists.');
        const job: Job = { request, status: 'QUEUED' };
        jobs.set(name, job);
        created.push(request);
        const view = viewOf(job);
        const performed = perform(job).finally(() => inProgress.delete(performed));
        inProgress.add(performed);
        return view;
      },
      GetTranscriptionJob: (body) => viewOf(found(body)),
      DeleteTranscriptionJob(body) {
        jobs.delete(found(body).request.TranscriptionJobName);
        return {};
      },
    },
    async close() {
      await Promise.all(inProgress);
    },
  };
}
