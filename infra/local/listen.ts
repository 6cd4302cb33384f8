/** Opens a server's port on this machine, or says in a sentence why it cannot. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How many connections may wait to be accepted: a burst waits, where it would otherwise be reset. */
const backlog = 4096;

/** 0 takes any free port. Resolves with the port taken. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen({ port, host: '127.0.0.1', backlog });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} is in use. Stop what listens there, or choose another one: PORT=${port + 1} npm start`,
        { cause: error },
      );
    }
    if (code === 'EACCES')
      throw new Error(`Port ${port} is reserved. Choose one above 1023: PORT=3000 npm start`, { cause: error });
    throw error;
  }
  return (server.address() as AddressInfo).port;
}
