/** A local server for fakes of JSON APIs, which also serves the files of their results. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { jsonIn } from '../shared/platform/json-in.ts';
import { closeServer, listen } from './listen.ts';

export interface JsonRequest {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** A response; `page` is a success that is not JSON, and `hang` is no response at all. */
export type JsonReply = { readonly status: number; readonly body: unknown } | 'page' | 'hang';

interface JsonServiceOptions {
  readonly reply: (request: JsonRequest) => JsonReply;
  /** Returns the MP4 at `/files/<name>`. */
  readonly fileNamed?: (name: string) => Promise<Buffer | undefined>;
}

export interface JsonService {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The requests except those for files, oldest first. */
  readonly requests: readonly JsonRequest[];
  close(): Promise<void>;
}

function send(response: ServerResponse, reply: JsonReply): void {
  if (reply === 'hang') return;
  if (reply === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    return;
  }
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
}

function sendFile(response: ServerResponse, file: Buffer | undefined): void {
  if (file) response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': file.length }).end(file);
  else response.writeHead(404).end();
}

export async function startJsonService({ reply, fileNamed }: JsonServiceOptions): Promise<JsonService> {
  const requests: JsonRequest[] = [];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const [, fileName] = /^\/files\/([\w-]+)\.mp4$/.exec(path) ?? [];
    if (fileName !== undefined) {
      sendFile(response, await fileNamed?.(fileName));
      return;
    }
    const received = { method, path, headers, body: jsonIn(await text(request)) };
    requests.push(received);
    send(response, reply(received));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      await closeServer(server);
    },
  };
}
