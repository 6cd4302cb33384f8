/** Opens connections only to addresses that have been checked: this module resolves no names. */
import { once } from 'node:events';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { type TLSSocket, connect as wrapSocket } from 'node:tls';

/** Opens a TCP connection to a literal IP address. */
export type Connect = (target: { readonly address: string; readonly port: number }) => Socket;

/** The most addresses of one name to try, so that a name with hundreds of them cannot be used for a port scan. */
const MAX_DIALS = 3;
/** The time limit per address; the last address gets the rest of the total time. */
const DIAL_TIMEOUT_MS = 2000;

export const connectTcp: Connect = ({ address, port }) => openSocket({ host: address, port, noDelay: true });

/** Keeps an error between two waits on a socket from crashing the process; each wait has its own error listener. */
const ignoreLateErrors = (socket: Socket): void => {
  socket.on('error', () => undefined);
};

/** Connects to the first address that accepts. Rejects with the error of the last one, or when the signal aborts. */
export async function dialAddress(
  addresses: readonly string[],
  port: number,
  options: { readonly connect: Connect; readonly signal: AbortSignal },
): Promise<Socket> {
  const candidates = addresses.slice(0, MAX_DIALS);
  const last = candidates.length - 1;
  for (const [index, address] of candidates.entries()) {
    const socket = options.connect({ address, port });
    ignoreLateErrors(socket);
    const patience = index < last ? [AbortSignal.timeout(DIAL_TIMEOUT_MS)] : [];
    try {
      await once(socket, 'connect', { signal: AbortSignal.any([options.signal, ...patience]) });
      return socket;
    } catch (error) {
      socket.destroy();
      if (index === last || options.signal.aborted) throw error;
    }
  }
  throw new Error('there is no address to connect to');
}

/**
 * Starts TLS on an open socket and verifies the certificate against the URL's host, even if
 * NODE_TLS_REJECT_UNAUTHORIZED disables verification. An IP address is verified too, but never sent as a server name.
 */
export async function secureSocket(
  socket: Socket,
  host: string,
  options: { readonly ca: string | undefined; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const secure = wrapSocket({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ca: options.ca,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  ignoreLateErrors(secure);
  await once(secure, 'secureConnect', { signal: options.signal });
  return secure;
}
