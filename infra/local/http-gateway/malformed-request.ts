/** Responds to connections that send something other than an HTTP request, if they can still be written to. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayResponse } from './gateway-response.ts';

const farewellSeconds = 5;

/** `rejection` creates the response. */
export function rejectMalformedRequests(server: Server, rejection: () => GatewayResponse): void {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  const broken = new WeakSet<Duplex>();

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const onSocket = open.get(request.socket) ?? new Set();
    open.set(request.socket, onSocket.add(response));
    response.once('close', () => onSocket.delete(response));
  });

  server.on('clientError', (_error, socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    // Waits for the responses to earlier complete requests, because the error response would be mistaken for one of
    // them.
    const earlier = [...(open.get(socket) ?? [])].filter((response) => response.req.complete || response.headersSent);
    const sent = earlier.map((response) => new Promise((resolve) => response.once('close', resolve)));
    void Promise.all(sent).then(() => respondAndClose(socket, rejection()));
  });
}

/** Writes a response to a socket and closes it. */
export function respondAndClose(socket: Duplex, { status, headers, body }: GatewayResponse): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  if (!socket.writable) socket.destroy();
  else socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Forces the connection to close, because the client may never close its side.
  setTimeout(() => socket.destroy(), farewellSeconds * 1000).unref();
}
