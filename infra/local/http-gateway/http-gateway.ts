/** API Gateway in this process: HTTP in front, Lambda proxy events behind, our gateway responses for everything else. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { GatewayErrorName } from '../../../shared/contracts/gateway.ts';
import type { Invoke } from '../lambda-host.ts';
import { gatewayAnswer, sendGatewayAnswer, sendProxyResult } from './gateway-answer.ts';
import { type FindRoute, type GatewayRoute, type RouteMatch, routeFinder } from './gateway-routes.ts';
import { answerMalformedRequests, sayFarewell } from './malformed-request.ts';
import { proxyEvent } from './proxy-event.ts';
import { readBody } from './request-body.ts';

export type { GatewayRoute } from './gateway-routes.ts';

/** Resolves with true if it sent the response. Called before the routes, for GET and HEAD alone. */
export type GatewayPage = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface HttpGatewayOptions {
  readonly routes: readonly GatewayRoute[];
  readonly pages: readonly GatewayPage[];
  readonly invoke: Invoke;
  /** Default `local`. */
  readonly stage?: string;
  nextRequestId(): string;
}

const keepAliveSeconds = 65;

/** The caller listens and closes. */
export function httpGateway(options: HttpGatewayOptions): Server {
  const findRoute = routeFinder(options.routes);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = options.nextRequestId();
    answerRequest({ ...options, findRoute, requestId }, request, response).catch(() => {
      process.stderr.write(`Gateway: answering ${request.method} failed.\n`);
      sendGatewayAnswer(response, gatewayAnswer('failed', requestId));
    });
  };
  // Without a Host header Node would answer by itself, and not in the envelope.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: keepAliveSeconds * 1000 }, answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket) =>
    sayFarewell(socket, gatewayAnswer('missingRoute', options.nextRequestId())),
  );
  answerMalformedRequests(server, () => gatewayAnswer('malformed', options.nextRequestId()));
  return server;
}

interface Exchange extends HttpGatewayOptions {
  readonly findRoute: FindRoute;
  readonly requestId: string;
}

async function answerRequest(exchange: Exchange, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refuse = (error: GatewayErrorName): void =>
    sendGatewayAnswer(response, gatewayAnswer(error, exchange.requestId));

  if (request.headers.host === undefined && request.httpVersion === '1.1') return refuse('malformed');
  if (/^(GET|HEAD)$/.test(request.method ?? '') && (await answeredByPage(exchange.pages, request, response)))
    return undefined;
  const [path = '', ...query] = (request.url ?? '').split('?');
  const match = exchange.findRoute(request.method ?? '', path);
  if (!match) return refuse('missingRoute');
  const body = await readBody(request);
  if (body === 'gone') return undefined;
  if (body === 'too large') return rejectTooLarge(exchange, request, response);
  const { stage = 'local', requestId } = exchange;
  const event = proxyEvent({ request, path, query: query.join('?'), body, match, stage, requestId });
  return callFunction(exchange.invoke, match, event, response, refuse);
}

/** Where the connection would be closed at once, the unread rest of the body would make it a reset without a response. */
function rejectTooLarge({ requestId }: Exchange, request: IncomingMessage, response: ServerResponse): void {
  const answer = gatewayAnswer('tooLarge', requestId);
  if (response.shouldKeepAlive) sendGatewayAnswer(response, answer);
  else {
    request.resume();
    sayFarewell(request.socket, answer);
  }
}

async function answeredByPage(
  pages: readonly GatewayPage[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  for (const page of pages) if (await page(request, response)) return true;
  return false;
}

async function callFunction(
  invoke: Invoke,
  { route }: RouteMatch,
  event: unknown,
  response: ServerResponse,
  refuse: (error: GatewayErrorName) => void,
): Promise<void> {
  try {
    sendProxyResult(response, await invoke(route.functionName, event));
  } catch {
    process.stderr.write(`Gateway: function ${route.functionName} failed.\n`);
    refuse('failed');
  }
}
