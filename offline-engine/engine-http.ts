/** The engine's HTTP interface: authentication, routes and responses. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { Ids } from '../shared/platform/ids.ts';
import { type Job, type JobReport, newJob } from './job.ts';
import type { JobList } from './job-list.ts';
import type { JobQueue } from './job-queue.ts';
import { type OfflineEngineFailure, requestedFailure } from './offline-engine-settings.ts';
import { findOperation } from './operations/operations.ts';
import { openFile } from './stored-files.ts';

interface EngineHttpOptions {
  readonly key: string;
  readonly filesDir: string;
  /** The simulated failure of jobs whose own input requests none. */
  readonly failure: OfflineEngineFailure;
  readonly ids: Ids;
  readonly jobs: JobList;
  readonly queue: JobQueue;
  readonly report: (job: Job) => JobReport;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const bodyLimitBytes = 2 ** 20;

const Order = z.object({
  id: z.string().min(1).max(200),
  group: z.string().max(200).default(''),
  operation: z.string(),
  input: z.unknown(),
  callbackUrl: z.url({ protocol: /^https?$/ }).optional(),
});

const fault = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error: { code, message } },
});
const unknownAddress = fault(404, 'NOT_FOUND', 'There is no such path or method.');

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * The body of a request; undefined if it is too long. It is then still read to its end, so that the client receives the
 * response.
 */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyLimitBytes) chunks.push(chunk);
  }
  return bytes > bodyLimitBytes ? undefined : Buffer.concat(chunks).toString('utf8');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const createJob = async (request: IncomingMessage, options: EngineHttpOptions): Promise<Reply> => {
  const { ids, jobs, queue, report } = options;
  const body = await bodyOf(request);
  if (body === undefined) return fault(413, 'INPUT_INVALID', `The body must be at most ${bodyLimitBytes} bytes.`);
  const order = Order.safeParse(parseJson(body));
  if (!order.success) return fault(422, 'INPUT_INVALID', z.prettifyError(order.error));
  const { id, group, operation, input, callbackUrl } = order.data;
  const found = await findOperation(operation);
  const complaint = found ? found.complaintAbout(input) : `There is no operation "${operation}".`;
  if (complaint !== undefined) return fault(422, 'INPUT_INVALID', complaint);
  const failure = requestedFailure(input) ?? options.failure;
  if (failure === 'reject')
    return fault(422, 'CONTENT_REJECTED', 'The offline engine was configured to reject this job.');
  const known = jobs.withId(id);
  if (known) return { status: 202, body: report(known) };
  const isDownloading = found?.downloadsFirst ?? false;
  const job = newJob(ids, { id, group, operation, input, failure, callbackUrl, isDownloading });
  jobs.add(job);
  queue.add(job);
  return { status: 202, body: report(job) };
};

const sendFile = async (response: ServerResponse, filesDir: string, name: string): Promise<Reply | undefined> => {
  const file = await openFile(filesDir, name);
  if (!file) return unknownAddress;
  response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.bytes });
  await pipeline(file.content, response);
  return undefined;
};

/** The response; undefined if it has already been sent. */
const replyTo = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: EngineHttpOptions,
): Promise<Reply | undefined> => {
  const [path = ''] = (request.url ?? '').split('?');
  if (request.method === 'POST' && path === '/v1/jobs') return createJob(request, options);
  const [, fileName] = (request.method === 'GET' && /^\/v1\/files\/([^/]+)$/.exec(path)) || [];
  if (fileName) return sendFile(response, options.filesDir, fileName);
  const [, reference, cancels] = /^\/v1\/jobs\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
  const job = reference && request.method === (cancels ? 'POST' : 'GET') && options.jobs.withReference(reference);
  if (!job) return unknownAddress;
  if (cancels) options.queue.cancel(job);
  return { status: 200, body: options.report(job) };
};

const send = (response: ServerResponse, { status, body }: Reply) => {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
};

export const engineHttp = (options: EngineHttpOptions): RequestListener => {
  const expected = digest(`Bearer ${options.key}`);
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      return send(response, fault(401, 'UNAUTHORIZED', 'The engine key is missing or wrong.'));
    }
    const reply = await replyTo(request, response, options);
    if (reply) send(response, reply);
  };
  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A client that disconnected during a download is not an error.
      if (response.headersSent || request.socket.destroyed) return response.destroy();
      console.error('The offline engine failed to handle a request:', error);
      return send(response, fault(500, 'PROVIDER_ERROR', 'See the log of the offline engine.'));
    });
  };
};
