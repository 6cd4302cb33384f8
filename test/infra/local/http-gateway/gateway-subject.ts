/** A gateway on a free port, for the gateway's tests. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { type GatewayPage, type GatewayRoute, httpGateway } from '../../../../infra/local/http-gateway/http-gateway.ts';
import { type LambdaFunction, lambdaHost } from '../../../../infra/local/lambda-host.ts';

export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Everything received on a new connection until the other side closed it. */
  readonly exchange: (bytes: string | Buffer) => Promise<string>;
}

const cleanUp: (() => Promise<unknown>)[] = [];

/** Must be called after each test. */
export async function closeGateways(): Promise<void> {
  await Promise.all(cleanUp.splice(0).map((close) => close()));
}

/** Request ids are `request-1`, `request-2`, … */
export async function startGateway(given: {
  routes: readonly GatewayRoute[];
  functions?: Record<string, LambdaFunction>;
  pages?: readonly GatewayPage[];
}): Promise<Gateway> {
  let requests = 0;
  const server = httpGateway({
    routes: given.routes,
    pages: given.pages ?? [],
    invoke: lambdaHost(given.functions ?? {}),
    nextRequestId: () => `request-${++requests}`,
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async exchange(bytes) {
      const socket = connect(port, '127.0.0.1');
      let response = '';
      socket.on('data', (chunk) => {
        response += String(chunk);
      });
      // The server may close before it has read everything.
      socket.on('error', () => undefined);
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
      return response;
    },
  };
}
