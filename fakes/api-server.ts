/**
 * A local server for fakes of HTTP APIs: it reads whole requests, and each request has the outcome that a test planned.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenAgain } from './listen.ts';

export interface ApiRequest {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as it was sent. */
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A buffer is sent as it is, and anything else as JSON. */
  readonly body: unknown;
  /** Sends half of the body and then breaks off, or never ends. */
  readonly half?: 'down' | 'hang';
}

/** A reply, a connection that breaks off, or no response at all. */
export type Answer = Reply | 'down' | 'hang';

/**
 * The planned outcome of a request. `done`: it is performed. `lost`: it is performed, but gets no response. `down`,
 * `hang`: it is not performed. `page`: it is performed, but the response is not JSON. A reply is sent instead of
 * performing the request.
 */
export type Outcome = 'done' | 'lost' | 'page' | Answer;

export const html = (status: number, text = '<!doctype html>'): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(text),
});

/** Performs a request, unless its planned outcome prevents that. */
export async function answered(outcome: Outcome, perform: () => Answer | Promise<Answer>): Promise<Answer> {
  if (outcome === 'down' || outcome === 'hang' || typeof outcome === 'object') return outcome;
  const reply = await perform();
  if (outcome === 'lost') return 'down';
  return outcome === 'page' ? html(200) : reply;
}

/** Calls a function, and converts thrown replies to responses. */
export async function attempted<Result>(
  work: () => Result | Promise<Result>,
  replyOf: (error: unknown) => Reply | undefined,
): Promise<Result | Reply> {
  try {
    return await work();
  } catch (error) {
    const reply = replyOf(error);
    if (reply) return reply;
    throw error;
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'hang') return;
  if (answer === 'down') return void response.destroy();
  const { status, headers, body, half } = answer;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body) ?? '');
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  if (!half) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (half === 'down') response.destroy();
  });
}

interface ApiServerOptions {
  /** The port on 127.0.0.1; 0, the default, selects the port of the last run or any free one. */
  readonly port?: number | undefined;
  readonly lastPort?: number | undefined;
  /** Speaks HTTP/2 without TLS. */
  readonly isHttp2?: boolean;
  /** Handles a request; if the handler throws, the connection breaks off. */
  readonly answer: (request: ApiRequest) => Answer | Promise<Answer>;
}

export interface ApiServer {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Closes all connections. */
  close(): Promise<void>;
}

export async function startApiServer({ port, lastPort, isHttp2, answer }: ApiServerOptions): Promise<ApiServer> {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const { method = '', url: path = '/' } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    send(response, await answer({ method, path, headers, body: bytes.toString('utf8'), bytes }));
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch((error: unknown) => {
      if (!request.destroyed) console.error('A fake failed to handle a request:', error);
      response.destroy();
    });
  };
  const sessions = new Set<ServerHttp2Session>();
  // HTTP/2 servers have all methods of HTTP/1 servers that are used here.
  const server = isHttp2
    ? (createHttp2Server(handle as never) as unknown as ReturnType<typeof createServer>)
    : createServer(handle);
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const opened = await listenAgain(server, port, lastPort);
  return {
    url: `http://127.0.0.1:${opened}`,
    port: opened,
    async close() {
      for (const session of sessions) session.destroy();
      await closeServer(server);
    },
  };
}
