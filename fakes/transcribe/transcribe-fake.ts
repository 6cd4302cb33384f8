/**
 * A local fake of Amazon Transcribe. It follows the documented protocol as far as transcripts of clips need it, and
 * detects when something is said in recordings of a local storage, so that the adapter in shared/engines/aws and the
 * AWS SDK can be tested without an account.
 *
 * - `StartTranscriptionJob` creates a job; a second one of the same name is a conflict, and an unreadable object a bad
 *   request. `GetTranscriptionJob` returns a job, `DeleteTranscriptionJob` deletes it.
 * - The transcript is written to the bucket and key of the request.
 * - Requests must be signed, but the fake does not verify signatures.
 *
 * Assumed, because it is undocumented: that a recording without speech fails when its language is to be identified,
 * with the reason in transcribe-jobs.ts. There are no events.
 */
import { S3Client } from '@aws-sdk/client-s3';
import type { AwsAccess } from '../../shared/platform/aws-access.ts';
import { type Answer, type ApiRequest, type Reply, startApiServer } from '../api-server.ts';
import { RequestFault, type TranscribeFault, type TranscribeJobs, transcribeJobs } from './transcribe-jobs.ts';

export interface TranscribeFakeOptions {
  /** The storage of recordings and transcripts. */
  readonly storage: AwsAccess;
  readonly port?: number;
  /** The text that transcripts of recordings contain, repeated; by default, a few words in Portuguese. */
  readonly speech?: string;
  /** Faults of the first requests, in order; `hang` never responds. Later requests are processed. */
  readonly faults?: readonly (TranscribeFault | 'hang')[];
  /** The reason why every job fails; `never` leaves jobs in progress. */
  readonly end?: string;
}

export interface TranscribeFake {
  /** The value for `AWS_ENDPOINT_URL_TRANSCRIBE`, without a trailing slash. */
  readonly url: string;
  /** The requests that created jobs, oldest first. */
  readonly created: TranscribeJobs['created'];
  /** Waits for all jobs and closes all connections. */
  close(): Promise<void>;
}

const isSigned = ({ headers: { authorization = '' } }: ApiRequest): boolean =>
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/transcribe\/aws4_request, /.test(authorization);

const reply = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body,
});

const faultReply = ({ type, message }: RequestFault): Reply =>
  reply(type === 'InternalFailureException' ? 500 : 400, { __type: type, Message: message });

async function respond(request: ApiRequest, { operations }: TranscribeJobs): Promise<Reply> {
  if (!isSigned(request)) throw new RequestFault('AccessDeniedException', 'Missing Authentication Token');
  const [, name = ''] = String(request.headers['x-amz-target']).split('.');
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) throw new RequestFault('BadRequestException', 'There is no such operation.');
  return reply(200, await operation(JSON.parse(request.body)));
}

/** Starts the fake. Rejects if the port is in use. */
export async function startTranscribeFake(options: TranscribeFakeOptions): Promise<TranscribeFake> {
  const { storage, port, speech, faults = [], end } = options;
  const client = new S3Client({ ...storage, forcePathStyle: true });
  const jobs = transcribeJobs({ storage: client, speech, end });
  const coming = [...faults];
  async function answer(request: ApiRequest): Promise<Answer> {
    const fault = coming.shift();
    if (fault === 'hang') return fault;
    if (fault) return faultReply(new RequestFault(fault, 'Not now'));
    return respond(request, jobs).catch((error: unknown) => {
      if (error instanceof RequestFault) return faultReply(error);
      throw error;
    });
  }
  const server = await startApiServer({ port, answer });
  return {
    url: server.url,
    created: jobs.created,
    async close() {
      await jobs.close();
      await server.close();
      client.destroy();
    },
  };
}
