/**
 * A local fake of AWS Elemental MediaConvert. It follows the documented protocol as far as clips need it, and really
 * cuts clips from and to a local storage, so that the adapter in shared/engines/aws and the AWS SDK can be tested
 * without an account.
 *
 * - `POST /2017-08-29/jobs` creates a job (201); a repeated token returns the first job for a minute. Rejected are jobs
 *   with frame captures only, smart crops that are wider than high, and URLs with a query.
 * - `GET /2017-08-29/search` returns the latest jobs, by file (or part of its name), queue and status, 20 at a time.
 * - `GET /2017-08-29/jobs/{id}` returns a job, without the names of its outputs; `DELETE` cancels it (202).
 * - Requests must be signed, but the fake does not verify signatures.
 *
 * Assumed, because it is undocumented: that canceling an ended job is a conflict, that frames of a variable rate are
 * counted at the average rate, and that the captions of a clipped video keep the times of the whole one. A smart crop
 * shows the center. There are no events and no probe.
 */
import { S3Client } from '@aws-sdk/client-s3';
import type { AwsAccess } from '../../shared/platform/aws-access.ts';
import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { jsonIn } from '../../shared/platform/json-in.ts';
import { type ApiRequest, type Reply, startApiServer } from '../api-server.ts';
import { faultReply, type MediaConvertFault } from './mediaconvert-faults.ts';
import { type MediaConvertJobs, mediaConvertJobs } from './mediaconvert-jobs.ts';

export interface MediaConvertFakeOptions {
  /** The storage of sources and outputs. */
  readonly storage: AwsAccess;
  readonly port?: number;
  readonly clock?: Clock;
  /** Error responses to the first requests; later requests are processed. */
  readonly faults?: readonly MediaConvertFault[];
  /** Overrides how jobs end; by default, this depends on their sources and settings. */
  readonly end?: 'never' | { readonly errorCode: number };
}

export interface MediaConvertFake {
  /** The value for `AWS_ENDPOINT_URL_MEDIACONVERT`, without a trailing slash. */
  readonly url: string;
  /** The settings of the jobs that were created, oldest first. */
  readonly created: MediaConvertJobs['created'];
  /** Stops all jobs and closes all connections. */
  close(): Promise<void>;
}

const isSigned = ({ headers: { authorization = '' } }: ApiRequest): boolean =>
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/mediaconvert\/aws4_request, /.test(authorization);

const jobsPath = '/2017-08-29/jobs';
const searchPath = '/2017-08-29/search';

function replyTo(request: ApiRequest, jobs: MediaConvertJobs): Reply | Promise<Reply> {
  const { method, path, body } = request;
  if (!isSigned(request)) return faultReply('ForbiddenException', 'Missing Authentication Token');
  if (method === 'POST' && path === jobsPath) return jobs.create(jsonIn(body));
  if (method === 'GET' && path.startsWith(`${searchPath}?`)) {
    return jobs.search(Object.fromEntries(new URL(path, 'http://fake').searchParams));
  }
  const id = path.startsWith(`${jobsPath}/`) ? decodeURIComponent(path.slice(jobsPath.length + 1)) : '';
  if (method === 'GET' && id) return jobs.find(id);
  if (method === 'DELETE' && id) return jobs.cancel(id);
  return faultReply('NotFoundException', 'There is no such operation.');
}

/** Starts the fake. Rejects if the port is in use. */
export async function startMediaConvertFake(options: MediaConvertFakeOptions): Promise<MediaConvertFake> {
  const { storage, port, clock = systemClock, faults = [], end } = options;
  const client = new S3Client({ ...storage, forcePathStyle: true });
  const ids = randomIds(clock);
  const jobs = mediaConvertJobs({ storage: client, clock, newId: () => ids.next(), end });
  const coming = [...faults];
  const server = await startApiServer({
    port,
    answer(request) {
      const fault = coming.shift();
      return fault ? faultReply(fault, 'Not now') : replyTo(request, jobs);
    },
  });
  return {
    url: server.url,
    created: jobs.created,
    async close() {
      await Promise.all([server.close(), jobs.close()]);
      client.destroy();
    },
  };
}
