/**
 * An HTTP proxy between the service and an external party, with which a test inspects each request and decides its
 * response.
 */
import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LocalServer, localServer } from '../../support/local-server.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
}

/** `silence` leaves the connection open without a response. */
export type Outcome = Reply | 'hang up' | 'silence';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Forwards the request to the party at a URL. */
  readonly forward: (target: string) => Promise<Reply>;
}

/** The headers that concern a single connection. */
const hopByHop = new Set(['connection', 'expect', 'host', 'keep-alive', 'transfer-encoding']);

const endToEnd = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

async function forward(incoming: IncomingMessage, body: Buffer, target: string, agent: Agent): Promise<Reply> {
  const { method, url = '/' } = incoming;
  const headers = { ...endToEnd(incoming.headers), 'content-length': body.length };
  const outgoing = request(new URL(url, target), { agent, headers, method });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, headers: endToEnd(response.headers), body: await buffer(response) };
}

/** If `decide` fails, the connection is dropped. */
export async function proxy(decide: (exchange: Exchange) => Promise<Outcome>): Promise<LocalServer> {
  const agent = new Agent({ keepAlive: true });
  const server = await localServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const outcome = await decide({
      incoming,
      body,
      response,
      forward: (target) => forward(incoming, body, target, agent),
    });
    if (outcome === 'hang up') response.destroy();
    else if (outcome !== 'silence') {
      const content = Buffer.from(outcome.body ?? '');
      response.writeHead(outcome.status, { 'content-length': content.length, ...outcome.headers }).end(content);
    }
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      agent.destroy();
    },
  };
}
