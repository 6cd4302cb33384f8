/** Turns HTTP requests into calls: the one middleware chain of all functions with a route. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import type { Actor } from './actor.ts';
import { bindPorts, type Context, type Definition, type PortFactories, type PortName, type With } from './context.ts';
import type { Exchange } from './exchange.ts';
import { logRequest } from './request-line.ts';
import { type Reply, respond, respondToError } from './respond.ts';

export type HttpHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/** Authenticates the caller by token, session or signature, or as anonymous. @throws {Rejection} */
export type Authenticator<Names extends PortName, Known extends Actor> = (
  exchange: Exchange,
  context: With<Names>,
) => Promise<Known>;

/** The authenticator of public endpoints. */
export const anonymous = async () => ({ kind: 'anonymous' }) as const;

/** What an endpoint consists of besides the middleware chain. */
export interface Endpoint<Names extends PortName, Known extends Actor> {
  readonly name: string;
  readonly authenticate: Authenticator<Names, Known>;
  /** Parses the request, handles it and returns the response. @throws {Rejection | ApiError} */
  readonly handle: (exchange: Exchange, actor: Known, context: With<Names>) => Promise<Reply<string | Buffer>>;
  /** The codes for when the endpoint is unavailable, if it has a contract. */
  readonly rules?: Exchange['rules'];
  /** Starts loading what the endpoint will need while the request is being authenticated. */
  readonly prefetch?: (context: With<Names>) => Promise<unknown>;
}

interface Request {
  event: unknown;
  response?: unknown;
  error?: unknown;
}

const exchangeOf = (request: Request): Exchange => request.event as Exchange;

/** Defines a function with a route; `ports` are the stores and other ports that it uses. */
export function httpLambda<Known extends Actor, Names extends PortName = never>(
  endpoint: Endpoint<Names, Known>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): Definition<HttpHandler> {
  const { name, authenticate, handle, prefetch, rules = {} } = endpoint;
  const define = (context: Context) => {
    const needs = bindPorts(context, ports);

    const open = (request: Request): void => {
      const event = request.event as APIGatewayProxyEvent;
      const { requestId } = event.requestContext;
      const startedAt = context.clock.now();
      const exchange: Exchange = { name, event, requestId, rules, startedAt, responseHeaders: {}, cookies: [] };
      request.event = exchange;
      // A failure is ignored here, because it occurs again where the result is used.
      prefetch?.(needs()).catch(() => undefined);
    };

    const call = async (exchange: Exchange): Promise<APIGatewayProxyResult> => {
      const actor = await authenticate(exchange, needs());
      exchange.actor = actor;
      return respond(exchange, await handle(exchange, actor, needs()));
    };

    const log = (request: Request): void => {
      logRequest(context, exchangeOf(request), request.response as APIGatewayProxyResult);
    };

    const chain = middy({ requestEnd: log })
      .before(open)
      .onError((request: Request) => {
        request.response = respondToError(exchangeOf(request), context, request.error);
      })
      .handler((event: unknown) => call(event as Exchange));
    return chain as HttpHandler;
  };
  return Object.assign(define, { ports });
}
