/** The fake's HTTP interface: authentication, routes and responses. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Clock, timestamp } from '../../shared/platform/clock.ts';
import type { CallbackSigner } from './callback-signer.ts';
import type { FalFakeJobs } from './fal-fake-jobs.ts';
import { type FalReply, queueFault } from './fal-faults.ts';
import { appOf, type FalJob, statusOf } from './fal-job.ts';
import { languageReply } from './language-models.ts';
import type { ServedFiles } from './perform-fal-job.ts';

/** A request as received. */
export interface FalFakeRequest {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface FalHttpOptions {
  /** The API key, in the form `id:secret`. */
  readonly key: string;
  readonly jobs: FalFakeJobs;
  readonly files: ServedFiles;
  readonly signer: CallbackSigner;
  readonly clock: Clock;
  readonly queueUrl: () => string;
  /** The latest requests. */
  readonly requests: FalFakeRequest[];
}

const keptRequests = 1000;

const notFound: FalReply = { status: 404, body: { detail: 'Not Found' } };
const unauthorized: FalReply = {
  status: 401,
  body: { detail: 'Authentication is required to access this application.' },
};

const digest = (text: string) => createHash('sha256').update(text).digest();

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const submission = (url: URL, request: FalFakeRequest, { jobs }: FalHttpOptions): FalReply | 'hang' => {
  const input = parsed(request.body);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return queueFault('bad_request', 'The body must be a JSON object');
  }
  return jobs.submit({
    endpoint: url.pathname.slice(1),
    input: input as Readonly<Record<string, unknown>>,
    webhook: url.searchParams.get('fal_webhook') ?? undefined,
    idempotencyKey: request.headers['idempotency-key'],
  });
};

const status = (job: FalJob, url: URL, { jobs, clock, queueUrl }: FalHttpOptions): FalReply => {
  const withLogs = url.searchParams.get('logs') === '1';
  const view = { queueUrl: queueUrl(), queuePosition: jobs.positionOf(job), withLogs };
  return { status: job.status === 'COMPLETED' ? 200 : 202, body: statusOf(job, view, timestamp(clock.now())) };
};

const result = ({ reply, behavior }: FalJob): FalReply => {
  if (!reply) return { status: 400, body: { detail: 'Request is still in progress' } };
  if (behavior.result === 'missing') return notFound;
  // A response like that of a gateway, which has no documented form.
  return behavior.result === 'out-of-order' ? { status: 500, body: 'upstream connect error' } : reply;
};

const onRequest = (url: URL, method: string, options: FalHttpOptions): FalReply => {
  const [, app, requestId = '', act] =
    /^\/([^/]+\/[^/]+)\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(url.pathname) ?? [];
  if (method !== (act === '/cancel' ? 'PUT' : 'GET')) return notFound;
  const job = options.jobs.find(requestId);
  const isHere = job && appOf(job.endpoint) === app;
  if (act === '/cancel') {
    return isHere ? options.jobs.cancel(job) : { status: 404, body: { status: 'NOT_FOUND' } };
  }
  if (!isHere) return { status: 404, body: { detail: 'Request not found' } };
  return act ? status(job, url, options) : result(job);
};

const replyTo = (url: URL, request: FalFakeRequest, options: FalHttpOptions): FalReply | 'hang' => {
  const { method, headers } = request;
  if (method === 'GET' && url.pathname === '/.well-known/jwks.json')
    return { status: 200, body: options.signer.keySet() };
  if (!timingSafeEqual(digest(headers.authorization ?? ''), digest(`Key ${options.key}`))) return unauthorized;
  if (method !== 'POST') return onRequest(url, method, options);
  return languageReply(url.pathname, request.body) ?? submission(url, request, options);
};

const send = (response: ServerResponse, { status: code, headers, body }: FalReply, requestId: string | undefined) => {
  const text = JSON.stringify(body);
  response.writeHead(code, {
    ...headers,
    ...(requestId && { 'X-Fal-Request-Id': requestId }),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
};

const respond = async (request: IncomingMessage, response: ServerResponse, options: FalHttpOptions) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = '', url: path = '/' } = request;
  const seen = { method, path, headers, body: (await buffer(request)).toString('utf8') };
  options.requests.push(seen);
  options.requests.splice(0, options.requests.length - keptRequests);
  const url = new URL(path, 'http://127.0.0.1');
  const [, fileName = ''] = (method === 'GET' && /^\/files\/([^/]+)$/.exec(url.pathname)) || [];
  const file = options.files.get(fileName);
  if (file) {
    response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.bytes.byteLength });
    response.end(file.bytes);
    return;
  }
  const reply = replyTo(url, seen, options);
  if (reply === 'hang') return;
  const [, named] = /\/requests\/([^/]+)/.exec(url.pathname) ?? [];
  const { request_id: given } = Object(reply.body) as { readonly request_id?: string };
  send(response, reply, named ?? given);
};

export const falHttp =
  (options: FalHttpOptions): RequestListener =>
  (request, response) => {
    respond(request, response, options).catch((error: unknown) => {
      if (response.headersSent || request.socket.destroyed) return response.destroy();
      console.error('The fal.ai fake failed to handle a request:', error);
      return send(response, queueFault('internal_error'), undefined);
    });
  };
