/** A local HTTP server that replaces an external party for one kind of request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../fakes/listen.ts';

export interface Reply {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
}

export interface LocalServer {
  /** The base URL without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

export const jsonReply = (status: number, body: object): Reply => ({ status, body: JSON.stringify(body) });

export async function startLocalServer(
  replyTo: (request: IncomingMessage, body: string) => Reply | Promise<Reply>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    Array.fromAsync(request)
      .then((parts) => replyTo(request, Buffer.concat(parts).toString()))
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
