/** A server that records the callbacks that it receives. */
import { text } from 'node:stream/consumers';
import { localServer } from '../support/local-server.ts';
import { eventually } from './engine-client.ts';

export interface ReceivedCallback {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: string;
  readonly progress: number;
  /** The time in milliseconds, on a clock of this process. */
  readonly arrivedAt: number;
}

type Reply = (callback: ReceivedCallback, earlier: readonly ReceivedCallback[]) => number;

export const startReceiver = async (reply: Reply = () => 200) => {
  const received: ReceivedCallback[] = [];
  const { url, close } = await localServer(async (request, response) => {
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
  });
  return {
    url,
    received,
    arrived: (matches: (callback: ReceivedCallback) => boolean) => eventually(() => received.find(matches)),
    close,
  };
};
