/**
 * A local fake of the YouTube Data API's `GET videos`, as its reference documents it: a list with the duration in ISO
 * 8601, empty for a video that is private or deleted, and errors with a `reason`. Durations are made up from the ids.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../listen.ts';

/** `hang` never responds, `page` is a success that is no JSON, and the others are documented reasons of errors. */
export type YoutubeFault = 'hang' | 'page' | 'quotaExceeded' | 'rateLimitExceeded' | 'backendError';

export interface YoutubeFakeOptions {
  readonly key: string;
  /** The duration of a video, or undefined if there is none with that id. */
  readonly durationOf?: (id: string) => string | undefined;
}

export interface YoutubeFake {
  /** Without a trailing slash. */
  readonly url: string;
  /** The path and query of each request, oldest first. */
  readonly requests: readonly string[];
  /** What happens to each request from now on. */
  fail(fault: YoutubeFault | undefined): void;
  close(): Promise<void>;
}

const statuses = { quotaExceeded: 403, rateLimitExceeded: 403, backendError: 503, keyInvalid: 400, required: 400 };

const isId = (id: string): boolean => /^[\w-]{11}$/.test(id);

/** From one minute to almost half an hour. Ids that begin with `private` or `live` are such videos. */
const madeUpDuration = (id: string): string | undefined => {
  if (id.startsWith('private')) return undefined;
  if (id.startsWith('live')) return 'P0D';
  const number = createHash('sha256').update(id).digest().readUInt32BE();
  return `PT${1 + (number % 29)}M${number % 60}S`;
};

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}

function sendFault(response: ServerResponse, reason: keyof typeof statuses): void {
  const code = statuses[reason];
  const message = `The request failed: ${reason}.`;
  sendJson(response, code, { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } });
}

export async function startYoutubeFake({ key, durationOf = madeUpDuration }: YoutubeFakeOptions): Promise<YoutubeFake> {
  const requests: string[] = [];
  let fault: YoutubeFault | undefined;

  function respond(response: ServerResponse, { pathname, searchParams }: URL): void {
    if (pathname !== '/videos') {
      sendJson(response, 404, { error: { code: 404, message: 'Not Found' } });
      return;
    }
    if (searchParams.get('part') !== 'contentDetails') {
      sendFault(response, 'required');
      return;
    }
    const ids = (searchParams.get('id') ?? '').split(',').filter(isId);
    const items = ids.flatMap((id) => {
      const duration = durationOf(id);
      return duration === undefined ? [] : [{ contentDetails: { duration } }];
    });
    sendJson(response, 200, { items });
  }

  const server = createServer((request, response) => {
    const { url: path = '/', headers } = request;
    if (headers['x-goog-api-key'] !== key) return sendFault(response, 'keyInvalid');
    requests.push(path);
    if (fault === 'hang') return;
    if (fault === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    if (fault) return sendFault(response, fault);
    respond(response, new URL(path, 'http://fake'));
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    fail(next) {
      fault = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
