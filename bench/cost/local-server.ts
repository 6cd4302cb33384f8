/** A local HTTP server for one kind of request, which stands in for an external party. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../infra/local/listen.ts';

export interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
}

export interface LocalServer {
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

export const jsonAnswer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

export async function startLocalServer(
  answer: (request: IncomingMessage, body: string) => Answer | Promise<Answer>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    Array.fromAsync(request)
      .then((parts) => answer(request, Buffer.concat(parts).toString()))
      .then(({ status, contentType = 'application/json', body }) =>
        response.writeHead(status, { 'content-type': contentType }).end(body),
      )
      .catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
