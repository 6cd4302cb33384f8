/** Servers between the service and another part, at which a test sees every request twice and can let it go no further. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Moment, Passage, Place } from './passage.ts';

/** Whether a passage goes on; one that does not is never answered. After a refusal of the receiver, `done` is false. */
export type Gate = (passage: Passage, moment: Moment, done: boolean) => boolean;

export interface Tap {
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const operationOf = ({ headers, method, url }: IncomingMessage): string => {
  const target = headers['x-amz-target'];
  return target === undefined ? `${method} ${url}` : (String(target).split('.')[1] ?? '');
};

async function forward(
  incoming: IncomingMessage,
  body: Buffer,
  target: string | undefined,
  agent: Agent,
): Promise<Reply> {
  if (target === undefined) throw new Error('the service has not told where its parts are');
  const { 'transfer-encoding': _chunked, expect: _answered, host: _tap, ...headers } = incoming.headers;
  const outgoing = request(new URL(incoming.url ?? '/', target), {
    agent,
    method: incoming.method,
    headers: { ...headers, 'content-length': body.length },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const { 'transfer-encoding': _chunked, connection: _own, 'keep-alive': _too, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length }).end(body);
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

type Answering = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

async function started(answer: Answering, agent?: Agent): Promise<Tap> {
  // A caller that was killed has nobody to answer to; whoever is alive sees its connection end.
  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  return {
    url: await listening(server),
    async close() {
      await closed(server);
      agent?.destroy();
    },
  };
}

/** Stands before a part; `target` is where that is now, undefined while it is nowhere. */
export async function tap(place: Place, target: () => string | undefined, gate: Gate): Promise<Tap> {
  const agent = new Agent({ keepAlive: true });
  return started(async (incoming, response) => {
    const body = await buffer(incoming);
    const passage = { place, operation: operationOf(incoming), body: body.toString() };
    if (!gate(passage, 'before', true)) return;
    const reply = await forward(incoming, body, target(), agent);
    if (gate(passage, 'after', reply.status < 400)) send(response, reply);
  }, agent);
}

/** Is told by the service's functions when they are called (`/name/before`) and when they have returned (`/name/after`). */
export const functionTap = (gate: Gate): Promise<Tap> =>
  started(async (incoming, response) => {
    const body = await buffer(incoming);
    const [, operation = '', moment] = (incoming.url ?? '').split('/');
    const passage: Passage = { place: 'function', operation, body: body.toString() };
    if (gate(passage, moment === 'after' ? 'after' : 'before', true)) response.writeHead(204).end();
  });

/** The address by which the outside reaches the service, wherever that runs now. */
export async function frontDoor(target: () => string | undefined): Promise<Tap> {
  const agent = new Agent({ keepAlive: true });
  return started(async (incoming, response) => {
    const body = await buffer(incoming);
    send(response, await forward(incoming, body, target(), agent));
  }, agent);
}
