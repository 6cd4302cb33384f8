/** Converts videos in the buckets with AWS Elemental MediaConvert, with classified failures. */
import type { Job, JobSettings } from '@aws-sdk/client-mediaconvert';
import type { AwsAccess } from './aws-access.ts';
import { mediumTimeoutClient } from './sdk-client.ts';

export type { JobSettings as ConversionSettings } from '@aws-sdk/client-mediaconvert';

/**
 * Why a conversion was refused. Only `rejected` is final; `misconfigured` is the operator's fault, and the rest are
 * temporary.
 */
export type ConversionRefusal = 'rejected' | 'misconfigured' | 'busy' | 'unavailable';

/**
 * A refusal by MediaConvert. Its message has a reason and the error's name, never MediaConvert's own text, which may
 * quote the settings.
 */
export class ConversionRefused extends Error {
  override readonly name = 'ConversionRefused';
  readonly reason: ConversionRefusal;
  constructor(reason: ConversionRefusal, fault: string) {
    super(`MediaConvert refused a request: ${reason} (${fault})`);
    this.reason = reason;
  }
}

export interface ConversionOrder {
  /** A token of up to 64 ASCII characters. Repeating an order with the same token creates no second job. */
  readonly token: string;
  readonly settings: JobSettings;
}

export interface ConvertedVideo {
  readonly durationSec?: number;
  readonly width?: number;
  readonly height?: number;
}

export interface Conversion {
  readonly status: 'waiting' | 'running' | 'complete' | 'canceled' | 'failed';
  /** The progress in percent, from 0 to 100. */
  readonly percent: number;
  /** MediaConvert's error code, if the job failed. */
  readonly errorCode: number | undefined;
  /** The settings with which the job was created; they name the outputs, which job results do not. */
  readonly settings: JobSettings;
  /** The first output's properties. */
  readonly video: ConvertedVideo;
}

export interface MediaConverter {
  /** Returns the job's id, or that of an earlier job with the same token. @throws ConversionRefused */
  create(order: ConversionOrder): Promise<string>;
  /** Finds a job; undefined if it does not exist. @throws ConversionRefused */
  find(id: string): Promise<Conversion | undefined>;
  /** Cancels a job; does nothing if it has ended or does not exist. @throws ConversionRefused */
  cancel(id: string): Promise<void>;
}

export interface MediaConverterAccess {
  readonly aws: AwsAccess;
  /** The ARN of the role with which MediaConvert reads and writes the buckets. */
  readonly role: () => string;
  /** The ARN of the queue that jobs are sent to. */
  readonly queue: () => string;
}

const refusals: Readonly<Record<string, ConversionRefusal>> = {
  BadRequestException: 'rejected',
  UnprocessableEntityException: 'rejected',
  ForbiddenException: 'misconfigured',
  NotFoundException: 'misconfigured',
  AccessDeniedException: 'misconfigured',
  UnrecognizedClientException: 'misconfigured',
  InvalidSignatureException: 'misconfigured',
  ExpiredTokenException: 'misconfigured',
  CredentialsProviderError: 'misconfigured',
  TooManyRequestsException: 'busy',
  ServiceQuotaExceededException: 'busy',
};

/** The cause of a failure: the system's error code or the error's name. */
const nameOf = (error: unknown): string => {
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  return [code, name].map(String).find((word) => /^[A-Z][A-Za-z_]{2,50}$/.test(word)) ?? 'Error';
};

const refusalOf = (error: unknown): ConversionRefused => {
  const name = nameOf(error);
  return new ConversionRefused(Object.hasOwn(refusals, name) ? (refusals[name] ?? 'unavailable') : 'unavailable', name);
};

const statuses: Readonly<Record<string, Conversion['status']>> = {
  SUBMITTED: 'waiting',
  PROGRESSING: 'running',
  COMPLETE: 'complete',
  CANCELED: 'canceled',
};

/** The client is loaded on first use: few tasks need it, and its schema of jobs is large. */
async function connect(aws: AwsAccess) {
  const sdk = await import('./media-convert-sdk.ts');
  return { sdk, client: new sdk.MediaConvertClient({ ...mediumTimeoutClient, ...aws }) };
}

const refuse = (error: unknown): never => {
  throw refusalOf(error);
};

/** Errors that mean the job does not exist or has ended. */
const endedFaults = ['NotFoundException', 'ConflictException', 'BadRequestException'];

function conversionOf(job: Job): Conversion {
  const [details] = job.OutputGroupDetails?.[0]?.OutputDetails ?? [];
  const { DurationInMs: ms, VideoDetails: { WidthInPx: width, HeightInPx: height } = {} } = details ?? {};
  return {
    status: statuses[job.Status ?? ''] ?? 'failed',
    percent: Math.min(100, Math.max(0, job.JobPercentComplete ?? 0)),
    errorCode: job.ErrorCode,
    settings: job.Settings ?? {},
    video: {
      ...(ms !== undefined && { durationSec: ms / 1000 }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    },
  };
}

type Connection = Awaited<ReturnType<typeof connect>>;

const jobsPerPage = 20;
/** The most pages of jobs to search: enough for the clips of one file. */
const maxPages = 5;

/** The metadata field that stores a job's token, because MediaConvert deduplicates by token for only a minute. */
const tokenName = 'token';

/**
 * Finds a job by its token, unless it was canceled. Jobs are searched by input file, and appear in the search soon
 * after they begin.
 */
async function earlierJob({ client, sdk }: Connection, queue: string, { token, settings }: ConversionOrder) {
  const InputFile = settings.Inputs?.[0]?.FileInput;
  let NextToken: string | undefined;
  for (let page = 1; page <= maxPages; page += 1) {
    const request = { InputFile, Queue: queue, MaxResults: jobsPerPage, Order: 'DESCENDING', NextToken } as const;
    const found = await client.send(new sdk.SearchJobsCommand(request)).catch(refuse);
    const earlier = found.Jobs?.find(
      ({ Status, UserMetadata }) => UserMetadata?.[tokenName] === token && Status !== 'CANCELED',
    );
    if (earlier?.Id !== undefined) return earlier.Id;
    NextToken = found.NextToken;
    if (NextToken === undefined) return undefined;
  }
  return undefined;
}

export function mediaConverter({ aws, role, queue }: MediaConverterAccess): MediaConverter {
  let connected: ReturnType<typeof connect> | undefined;
  const connection = () => {
    connected ??= connect(aws);
    return connected;
  };

  return {
    async create(order) {
      const { client, sdk } = await connection();
      const earlier = await earlierJob({ client, sdk }, queue(), order);
      if (earlier !== undefined) return earlier;
      const { token: ClientRequestToken, settings: Settings } = order;
      const UserMetadata = { [tokenName]: ClientRequestToken };
      const request = { Role: role(), Settings, ClientRequestToken, UserMetadata, Queue: queue() };
      const { Job: job } = await client.send(new sdk.CreateJobCommand(request)).catch(refuse);
      return job?.Id ?? refuse(new Error('a job has no id'));
    },

    async find(Id) {
      const { client, sdk } = await connection();
      const { Job: job } = await client
        .send(new sdk.GetJobCommand({ Id }))
        .catch((error: unknown) => (nameOf(error) === 'NotFoundException' ? { Job: undefined } : refuse(error)));
      return job && conversionOf(job);
    },

    async cancel(Id) {
      const { client, sdk } = await connection();
      await client.send(new sdk.CancelJobCommand({ Id })).catch((error: unknown) => {
        if (!endedFaults.includes(nameOf(error))) refuse(error);
      });
    },
  };
}
