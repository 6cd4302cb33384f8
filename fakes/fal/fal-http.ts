/** The fake's HTTP interface: authentication, routes and responses. */
import { jsonIn } from '../../shared/platform/json-in.ts';
import type { Answer, ApiRequest } from '../api-server.ts';
import type { CallbackSigner } from './callback-signer.ts';
import { type FalReply, queueFault } from './fal-faults.ts';
import type { FalJob, FalQueue } from './fal-queue.ts';
import { languageReply } from './language-models.ts';
import type { ServedFiles } from './perform-fal-job.ts';

interface FalHttpOptions {
  /** The API key, in the form `id:secret`. */
  readonly key: string;
  readonly queue: FalQueue;
  readonly files: ServedFiles;
  readonly signer: CallbackSigner;
  /** The latest requests. */
  readonly requests: ApiRequest[];
}

const keptRequests = 1000;

const notFound = (detail = 'Not Found'): FalReply => ({ status: 404, body: { detail } });

const submission = (url: URL, { body, headers }: ApiRequest, queue: FalQueue): Answer => {
  const input = jsonIn(body);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return queueFault('bad_request', 'The body must be a JSON object');
  }
  return queue.submit({
    endpoint: url.pathname.slice(1),
    input: input as Readonly<Record<string, unknown>>,
    webhook: url.searchParams.get('fal_webhook') ?? undefined,
    idempotencyKey: headers['idempotency-key'],
  });
};

const result = ({ reply, behavior }: FalJob): FalReply => {
  if (!reply) return { status: 400, body: { detail: 'Request is still in progress' } };
  if (behavior.result === 'missing') return notFound();
  // A response like that of a gateway, which has no documented form.
  return behavior.result === 'out-of-order' ? { status: 500, body: 'upstream connect error' } : reply;
};

const onRequest = (url: URL, method: string, queue: FalQueue): FalReply => {
  const [, app = '', requestId = '', act] =
    /^\/([^/]+\/[^/]+)\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(url.pathname) ?? [];
  if (method !== (act === '/cancel' ? 'PUT' : 'GET')) return notFound();
  const job = queue.find(app, requestId);
  if (act === '/cancel') return job ? queue.cancel(job) : { status: 404, body: { status: 'NOT_FOUND' } };
  if (!job) return notFound('Request not found');
  return act ? queue.statusOf(job) : result(job);
};

const answerTo = (url: URL, request: ApiRequest, { key, queue, files, signer }: FalHttpOptions): Answer => {
  const { method, headers, body } = request;
  const [, fileName = ''] = /^\/files\/([^/]+)$/.exec(url.pathname) ?? [];
  const file = files.get(fileName);
  if (file) return { status: 200, headers: { 'content-type': file.contentType }, body: Buffer.from(file.bytes) };
  if (url.pathname === '/.well-known/jwks.json') return { status: 200, body: signer.keySet() };
  if (headers.authorization !== `Key ${key}`) return { status: 401, body: { detail: 'Authentication is required' } };
  if (method !== 'POST') return onRequest(url, method, queue);
  return languageReply(url.pathname, body) ?? submission(url, request, queue);
};

export const falHttp =
  (options: FalHttpOptions) =>
  (request: ApiRequest): Answer => {
    options.requests.push(request);
    options.requests.splice(0, options.requests.length - keptRequests);
    const url = new URL(request.path, 'http://fake');
    const answer = answerTo(url, request, options);
    if (typeof answer === 'string') return answer;
    const [, named] = /\/requests\/([^/]+)/.exec(url.pathname) ?? [];
    const id = named ?? (Object(answer.body) as { readonly request_id?: string }).request_id;
    return { ...answer, headers: { ...answer.headers, ...(id && { 'X-Fal-Request-Id': id }) } };
  };
