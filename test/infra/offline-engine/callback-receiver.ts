/** A server that callbacks are sent to, and that remembers them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from './engine-client.ts';

export interface ReceivedCallback {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: string;
  readonly progress: number;
  /** Milliseconds, on a clock of the process. */
  readonly arrivedAt: number;
}

type Reply = (callback: ReceivedCallback, earlier: readonly ReceivedCallback[]) => number;

export const startReceiver = async (reply: Reply = () => 200) => {
  const received: ReceivedCallback[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const callback = {
      path: request.url ?? '',
      headers,
      body,
      ...JSON.parse(body),
      arrivedAt: performance.now(),
    } as ReceivedCallback;
    const status = reply(callback, [...received]);
    received.push(callback);
    response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    arrived: (matches: (callback: ReceivedCallback) => boolean) => eventually(() => received.find(matches)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
