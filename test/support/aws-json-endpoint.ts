/** An endpoint that speaks the JSON protocol of AWS: for parts of AWS that nothing else stands in for. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Parameters = Readonly<Record<string, string>>;

export interface AwsJsonEndpoint {
  readonly url: string;
  close(): void;
}

/** `answer` gives the body of an answer, a refusal's with its `__type`; undefined is a `NotFoundException`. */
export async function awsJsonEndpoint(
  answer: (operation: string, parameters: Parameters) => object | undefined,
): Promise<AwsJsonEndpoint> {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    const notFound = { __type: 'NotFoundException', message: 'there is no such thing' };
    const body = answer(operation, JSON.parse(await text(request)) as Parameters) ?? notFound;
    response.writeHead('__type' in body ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
