/** Closes the connections of the service's clients: each run has clients of its own. */
import diagnosticsChannel from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Notices every connection that is opened from now on; the function that comes back closes them, and is done. */
export function noticeClientSockets(): () => void {
  const open = new Set<Socket>();
  const notice = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  diagnosticsChannel.subscribe('net.client.socket', notice);
  return () => {
    diagnosticsChannel.unsubscribe('net.client.socket', notice);
    for (const socket of open) socket.destroy();
  };
}
