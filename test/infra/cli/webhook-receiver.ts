/** A server that webhooks are sent to: answers as it is told and remembers what came. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** `reply` gives the status of the answer to the webhook that came as the so-manieth, counted from 1. */
export async function startWebhookReceiver(reply: (count: number) => number | Promise<number>) {
  const bodies: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const count = bodies.push(await text(request));
    response.writeHead(await reply(count)).end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
