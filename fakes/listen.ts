/** Opens a server's port on this machine, or throws a message that says why it cannot, and closes a server. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The number of connections that may wait to be accepted: beyond it, connections of a burst would be reset. */
const backlog = 4096;

/** 0 chooses any free port. Resolves with the port. */
export async function listen(server: Server, port: number): Promise<number> {
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

/** Unless a port is given, that of the last time if it is still free, so that links to it remain valid. */
export async function listenAgain(server: Server, port = 0, lastPort = 0): Promise<number> {
  if (port !== 0 || lastPort === 0) return listen(server, port);
  try {
    return await listen(server, lastPort);
  } catch {
    return listen(server, 0);
  }
}

/** Ends what it is doing too. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
