/** Opens a server's port on this machine, with a clear error message if that fails, and closes servers. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How many connections may wait to be accepted: in a burst, more would be reset. */
const backlog = 4096;

/** A client may use an idle connection while the server closes it, and then gets an error: so clients close first. */
const keepAliveSeconds = 65;

/** Opens a port; 0 chooses a free one. Resolves with the port. */
export async function listen(server: Server, port: number): Promise<number> {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  server.listen({ port, host: '127.0.0.1', backlog });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
        { cause: error },
      );
    }
    if (code === 'EACCES')
      throw new Error(`Port ${port} is reserved. Choose a port above 1023: PORT=3000 npm start`, { cause: error });
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Opens the given port, or that of the last run if it is still free, so that links to it remain valid. */
export async function listenAgain(server: Server, port = 0, lastPort = 0): Promise<number> {
  if (port !== 0 || lastPort === 0) return listen(server, port);
  try {
    return await listen(server, lastPort);
  } catch {
    return listen(server, 0);
  }
}

/** Closes the server and its open connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A server of HTTP/2 has sessions instead.
  server.closeAllConnections?.();
  await closed;
}
