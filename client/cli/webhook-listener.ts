/**
 * Receives webhooks, shows and verifies each, and responds with the chosen status or with that of the program behind
 * the listener.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Delivery, keepDeliveries } from './delivery.ts';
import { linesOf } from './delivery-lines.ts';
import { commandsText, type ListenerOptions, OptionsError } from './listener-options.ts';

type ResponseSettings = Pick<ListenerOptions, 'status' | 'delaySeconds'>;

export interface WebhookListener {
  /** The URL to pass as `callbackUrl`. */
  readonly url: string;
  /** Sends a webhook to the program behind the listener again. @throws {OptionsError} without program or webhook */
  replay(number?: number): Promise<void>;
  respondWith(settings: Partial<ResponseSettings>): void;
  close(): Promise<void>;
}

/** Headers of the connection, which `fetch` sets itself. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** The status of the program behind the listener, or 502 if it did not respond. */
async function forward({ headers, body }: Delivery, url: string): Promise<{ status: number; problem?: string }> {
  const passedOn = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
  try {
    const init = { method: 'POST', headers: passedOn as [string, string][], body, redirect: 'manual' } as const;
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: 502, problem: cause instanceof Error ? cause.message : message };
  }
}

/** Listens on this machine only. @throws {Error} if the port is in use */
const listenOn = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export async function startWebhookListener(
  options: ListenerOptions,
  write: (line: string) => void,
): Promise<WebhookListener> {
  const { port, forwardTo } = options;
  const deliveries = keepDeliveries(options);
  let settings: ResponseSettings = options;

  const pass = async (delivery: Delivery, to: string): Promise<number> => {
    const { status, problem } = await forward(delivery, to);
    write(`#${delivery.number} ${to} ${problem === undefined ? `responded ${status}` : `did not respond: ${problem}`}`);
    return status;
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return write(`${request.method} ${request.url}: webhooks are POST requests; responded 405`);
    }
    const delivery = await deliveries.add(request);
    for (const line of linesOf(delivery, options)) write(line);
    const { delaySeconds, status: chosen } = settings;
    if (delaySeconds > 0) await wait(delaySeconds * 1000);
    const status = forwardTo === undefined ? chosen : await pass(delivery, forwardTo);
    response.writeHead(status).end();
    write(`#${delivery.number} responded ${status}${response.destroyed ? ', too late for the sender' : ''}\n`);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: Error) => {
      write(`A request could not be read: ${error.message}`);
      response.destroy();
    });
  });
  const url = await listenOn(server, port);
  write(`Listening: pass "callbackUrl": "${url}" with a generation of ${options.baseUrl}. ${commandsText}\n`);
  return {
    url,
    async replay(number) {
      const delivery = deliveries.find(number);
      if (forwardTo === undefined) throw new OptionsError('Start with --forward <url> to send webhooks again.');
      await pass(delivery, forwardTo);
    },
    respondWith: (changed) => {
      settings = { ...settings, ...changed };
    },
    close: () => closed(server),
  };
}
