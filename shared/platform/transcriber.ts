/** Transcribes recordings in the buckets with Amazon Transcribe, and classifies its failures. */
import type { TranscribeClient } from '@aws-sdk/client-transcribe';
import type { AwsAccess } from './aws-access.ts';
import { mediumTimeoutClient } from './sdk-client.ts';

/**
 * Why a transcription was refused. Only `rejected` is final; `misconfigured` is the operator's fault, and the rest are
 * temporary.
 */
export type TranscriptionRefusal = 'rejected' | 'misconfigured' | 'busy' | 'unavailable';

/**
 * A refusal by Amazon Transcribe. Its message has a reason and the error's name, never the service's own text, which
 * may quote the request.
 */
export class TranscriptionRefused extends Error {
  override readonly name = 'TranscriptionRefused';
  readonly reason: TranscriptionRefusal;
  constructor(reason: TranscriptionRefusal, fault: string) {
    super(`Amazon Transcribe refused a request: ${reason} (${fault})`);
    this.reason = reason;
  }
}

export interface TranscriptionOrder {
  /** The job's name in the AWS account: starting another one of the same name creates no second job. */
  readonly name: string;
  readonly bucket: string;
  readonly sourceKey: string;
  /** The key under which the transcript is stored. */
  readonly outputKey: string;
}

export interface TranscriptionState {
  readonly status: 'waiting' | 'running' | 'complete' | 'failed';
  /** Why the job failed, in the words of Amazon Transcribe, which must not be passed on. */
  readonly failure: string;
}

export interface Transcriber {
  /** Starts a job. @throws TranscriptionRefused */
  start(order: TranscriptionOrder): Promise<void>;
  /** Finds a job; undefined if it does not exist. @throws TranscriptionRefused */
  find(name: string): Promise<TranscriptionState | undefined>;
  /** Deletes a job; does nothing if it does not exist. @throws TranscriptionRefused */
  delete(name: string): Promise<void>;
}

const refusals: Readonly<Record<string, TranscriptionRefusal>> = {
  BadRequestException: 'rejected',
  AccessDeniedException: 'misconfigured',
  UnrecognizedClientException: 'misconfigured',
  InvalidSignatureException: 'misconfigured',
  ExpiredTokenException: 'misconfigured',
  CredentialsProviderError: 'misconfigured',
  LimitExceededException: 'busy',
  ThrottlingException: 'busy',
};

/** The cause of a failure: the system's error code or the error's name. */
const nameOf = (error: unknown): string => {
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  return [code, name].map(String).find((word) => /^[A-Z][A-Za-z_]{2,50}$/.test(word)) ?? 'Error';
};

const refusalOf = (error: unknown): TranscriptionRefused => {
  const name = nameOf(error);
  return new TranscriptionRefused((Object.hasOwn(refusals, name) && refusals[name]) || 'unavailable', name);
};

const statuses: Readonly<Record<string, TranscriptionState['status']>> = {
  QUEUED: 'waiting',
  IN_PROGRESS: 'running',
  COMPLETED: 'complete',
};

/** The client is loaded on first use, because few tasks need it. */
async function connect(aws: AwsAccess) {
  const sdk = await import('./transcribe-sdk.ts');
  return { sdk, client: new sdk.TranscribeClient({ ...mediumTimeoutClient, ...aws }) };
}

type Sdk = Awaited<ReturnType<typeof connect>>['sdk'];

export function transcriber(aws: AwsAccess): Transcriber {
  let connected: ReturnType<typeof connect> | undefined;

  /** Sends a request; undefined if the response is the tolerated error. */
  async function send<Result>(
    use: (client: TranscribeClient, sdk: Sdk) => Promise<Result>,
    tolerated: readonly string[],
  ): Promise<Result | undefined> {
    connected ??= connect(aws);
    const { client, sdk } = await connected;
    try {
      return await use(client, sdk);
    } catch (error) {
      if (tolerated.includes(nameOf(error))) return undefined;
      throw refusalOf(error);
    }
  }

  return {
    async start({ name, bucket, sourceKey, outputKey }) {
      const request = {
        TranscriptionJobName: name,
        Media: { MediaFileUri: `s3://${bucket}/${sourceKey}` },
        OutputBucketName: bucket,
        OutputKey: outputKey,
        IdentifyLanguage: true,
      };
      // A conflict means that an earlier attempt started the same job.
      await send((client, sdk) => client.send(new sdk.StartTranscriptionJobCommand(request)), ['ConflictException']);
    },

    async find(TranscriptionJobName) {
      const found = await send(
        (client, sdk) => client.send(new sdk.GetTranscriptionJobCommand({ TranscriptionJobName })),
        ['NotFoundException'],
      );
      const job = found?.TranscriptionJob;
      if (!job) return undefined;
      return { status: statuses[job.TranscriptionJobStatus ?? ''] ?? 'failed', failure: job.FailureReason ?? '' };
    },

    async delete(TranscriptionJobName) {
      await send(
        (client, sdk) => client.send(new sdk.DeleteTranscriptionJobCommand({ TranscriptionJobName })),
        ['NotFoundException', 'BadRequestException'],
      );
    },
  };
}
