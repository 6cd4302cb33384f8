/**
 * API Gateway in this process: receives HTTP requests, calls functions with Lambda proxy events, and sends gateway
 * responses for everything else.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { GatewayErrorName } from '../../../shared/contracts/gateway.ts';
import type { Invoke } from '../lambda-host.ts';
import { gatewayResponse, sendGatewayResponse, sendProxyResult } from './gateway-response.ts';
import { type FindRoute, type GatewayRoute, type RouteMatch, routeFinder } from './gateway-routes.ts';
import { rejectMalformedRequests, respondAndClose } from './malformed-request.ts';
import { proxyEvent } from './proxy-event.ts';
import { readBody } from './request-body.ts';

export type { GatewayRoute } from './gateway-routes.ts';

/**
 * Returns true if it has sent the response. Called before the routes; must not read the body of requests that it does
 * not handle.
 */
export type GatewayPage = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<boolean>;

export interface HttpGatewayOptions {
  readonly routes: readonly GatewayRoute[];
  readonly pages: readonly GatewayPage[];
  readonly invoke: Invoke;
  /** The name of the API stage; `local` by default. */
  readonly stage?: string;
  nextRequestId(): string;
}

/** Creates the server; the caller starts and closes it. */
export function httpGateway(options: HttpGatewayOptions): Server {
  const findRoute = routeFinder(options.routes);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = options.nextRequestId();
    handleRequest({ ...options, findRoute, requestId }, request, response).catch(() => {
      process.stderr.write(`Gateway: ${request.method} failed.\n`);
      sendGatewayResponse(response, gatewayResponse('failed', requestId));
    });
  };
  // Accepts requests without a Host header, to which Node would otherwise respond without the envelope.
  const server = createServer({ requireHostHeader: false }, handle);
  server.on('checkExpectation', handle);
  server.on('connect', (_request, socket) =>
    respondAndClose(socket, gatewayResponse('missingRoute', options.nextRequestId())),
  );
  rejectMalformedRequests(server, () => gatewayResponse('malformed', options.nextRequestId()));
  return server;
}

interface Exchange extends HttpGatewayOptions {
  readonly findRoute: FindRoute;
  readonly requestId: string;
}

async function handleRequest(exchange: Exchange, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reject = (error: GatewayErrorName): void =>
    sendGatewayResponse(response, gatewayResponse(error, exchange.requestId));

  if (request.headers.host === undefined && request.httpVersion === '1.1') return reject('malformed');
  if (await servedByPage(exchange, request, response)) return undefined;
  const [path = '', ...query] = (request.url ?? '').split('?');
  const match = exchange.findRoute(request.method ?? '', path);
  if (!match) return reject('missingRoute');
  const body = await readBody(request);
  if (body === 'gone') return undefined;
  if (body === 'too large') return rejectTooLarge(exchange, request, response);
  // The rest is not read.
  if (body === 'fragmented') return respondAndClose(request.socket, gatewayResponse('tooLarge', exchange.requestId));
  const { stage = 'local', requestId } = exchange;
  const event = proxyEvent({ request, path, query: query.join('?'), body, match, stage, requestId });
  return callFunction(exchange.invoke, match, event, response, reject);
}

/**
 * Reads the rest of the body first: closing with unread data would reset the connection before the response arrives.
 */
function rejectTooLarge({ requestId }: Exchange, request: IncomingMessage, response: ServerResponse): void {
  const rejection = gatewayResponse('tooLarge', requestId);
  if (response.shouldKeepAlive) sendGatewayResponse(response, rejection);
  else {
    request.resume();
    respondAndClose(request.socket, rejection);
  }
}

async function servedByPage(
  { pages, requestId }: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  for (const page of pages) if (await page(request, response, requestId)) return true;
  return false;
}

async function callFunction(
  invoke: Invoke,
  { route }: RouteMatch,
  event: unknown,
  response: ServerResponse,
  reject: (error: GatewayErrorName) => void,
): Promise<void> {
  try {
    sendProxyResult(response, await invoke(route.functionName, event));
  } catch {
    process.stderr.write(`Gateway: function ${route.functionName} failed.\n`);
    reject('failed');
  }
}
