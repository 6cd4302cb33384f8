/** An HTTP server on a free local port: the basis of all substitutes for external parties in tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../../fakes/listen.ts';

export interface LocalServer {
  readonly url: string;
  /** Closes the server and its open connections. */
  readonly close: () => Promise<void>;
}

/** A handler that fails drops its connection. */
export async function localServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch(() => response.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server, 0)}`, close: () => closeServer(server) };
}
