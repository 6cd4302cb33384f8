/** An HTTP client for malformed and hostile requests, which keeps every response. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';

export interface RecordedResponse {
  /** The operation that was requested; undefined if there is none, or if its response does not matter. */
  readonly operationId?: OperationId;
  readonly status: number;
  /** The header lines as received. */
  readonly head: string;
  readonly requestId: string;
  readonly body: string;
}

export interface RawRequest {
  readonly token?: string;
  /** Header lines, of which any may be repeated. */
  readonly headers?: readonly (readonly [string, string])[];
  /** The body: sent as JSON, or unchanged if it is text or bytes. */
  readonly body?: unknown;
  readonly query?: string;
}

/** Header values are sent as bytes: text outside Latin-1 as UTF-8, as most clients do. */
const headerText = (value: string): string => Buffer.from(value).toString('latin1');

const bodyOf = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

async function send(method: string, url: URL, { token, headers = [], body }: RawRequest): Promise<RecordedResponse> {
  const all: (readonly [string, string])[] = [
    ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ...(body === undefined || headers.some(([name]) => name === 'content-type')
      ? []
      : [['content-type', 'application/json'] as const]),
    ...headers,
  ];
  const request = httpRequest(url, { method });
  for (const [name] of all) request.removeHeader(name);
  for (const [name, value] of all) request.appendHeader(name, headerText(value));
  request.end(body === undefined ? undefined : bodyOf(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const pairs = response.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${response.rawHeaders[index + 1]}`] : [],
  );
  return {
    status: response.statusCode ?? 0,
    head: pairs.join('\n'),
    requestId: String(response.headers['x-request-id'] ?? ''),
    body: await text(response),
  };
}

export function rawClient(serviceUrl: string) {
  const responses: RecordedResponse[] = [];
  const keep = <Kept extends RecordedResponse>(response: Kept): Kept => {
    responses.push(response);
    return response;
  };
  const urlOf = (path: string, query = '') => new URL(`${path}${query && '?'}${query}`, serviceUrl);
  return {
    responses: responses as readonly RecordedResponse[],
    /** Requests any URL, well-formed or not. */
    ask: async (method: string, url: string, question: RawRequest = {}) =>
      keep(await send(method, urlOf(url, question.query), question)),
    /** Requests an operation; parameters in braces are replaced by `id`. */
    async call(operationId: OperationId, { id = '', ...question }: RawRequest & { readonly id?: string } = {}) {
      const { method, path } = registry[operationId];
      const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));
      return keep({ operationId, ...(await send(method, urlOf(filled, question.query), question)) });
    },
    /** Sends bytes that need not be a request. */
    async say(bytes: string): Promise<void> {
      const socket = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
      socket.end(bytes);
      keep({ status: 0, head: '', requestId: '', body: await text(socket) });
    },
  };
}
