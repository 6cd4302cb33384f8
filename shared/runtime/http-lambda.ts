/** How an HTTP request becomes a call of an operation: the one chain that all of them share. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import type { OperationId, Registry } from '../contracts/registry.ts';
import type { StoredResponse } from '../domain/idempotency/idempotency.ts';
import { authenticate } from './authenticate.ts';
import { contextWith, type PortFactories, type PortName } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Operation, OperationRequest } from './operation-types.ts';
import { parseRequest } from './parse-request.ts';
import { Refusal, type RefusalDetails, Replay } from './refusal.ts';
import { replayStored } from './replay-stored.ts';
import { tellRequest } from './request-line.ts';
import { recover, succeed } from './respond.ts';

export type HttpHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

const fail = (code: ConstructorParameters<typeof Refusal>[0], details?: RefusalDetails): never => {
  throw new Refusal(code, details);
};

function tell(
  { caller, code, context, contract, requestId, startedAt, taskId }: Exchange,
  answer: APIGatewayProxyResult,
) {
  const { operationId: operation } = contract;
  if (code === 'RATE_LIMITED') context.metrics.record({ RateLimitRefusals: 1 }, { operation });
  const { accountId, tokenId } = caller ?? {};
  tellRequest(context, { requestId, operation, accountId, tokenId, taskId, code, startedAt }, answer);
}

/** The task that an answer or the parameters of a path name. */
const taskIdIn = (value: unknown): string | undefined => (value as { taskId?: string } | undefined)?.taskId;

const replay = (response: StoredResponse): never => {
  throw new Replay(response);
};

interface Request {
  event: unknown;
  response?: unknown;
  error?: unknown;
}

const exchangeOf = (request: Request): Exchange => request.event as Exchange;

/** The Lambda handler of an operation. `ports` are those that it uses beyond the stores. */
export function httpLambda<Id extends OperationId, Names extends PortName = never>(
  contract: Registry[Id],
  operation: Operation<Id, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): HttpHandler {
  const contextOf = contextWith(ports);

  const open = (request: Request): void => {
    const context = contextOf();
    const event = request.event as APIGatewayProxyEvent;
    const { requestId } = event.requestContext;
    request.event = { contract, context, event, requestId, startedAt: context.clock.now(), responseHeaders: {} };
    // What a generation goes by is read while the token is: the request does not wait for a stale catalog.
    if ('dryRun' in contract) Promise.all([context.catalog.read(), context.circuits.read()]).catch(() => undefined);
  };

  const call = (exchange: Exchange) =>
    operation({ ...exchange.request, caller: exchange.caller, fail, replay } as OperationRequest<Id>, contextOf());

  const chain = middy({
    requestEnd: (request: Request) => tell(exchangeOf(request), request.response as APIGatewayProxyResult),
  })
    .before(open)
    .before((request: Request) => authenticate(exchangeOf(request)))
    .before((request: Request) => parseRequest(exchangeOf(request)))
    .before((request: Request) => replayStored(exchangeOf(request)))
    .after((request: Request) => {
      const exchange = exchangeOf(request);
      exchange.taskId = taskIdIn(request.response) ?? taskIdIn(exchange.request?.params);
      request.response = succeed(exchange, request.response);
    })
    .onError((request: Request) => {
      request.response = recover(exchangeOf(request), request.error);
    })
    .handler((event: unknown) => call(event as Exchange));

  return chain as HttpHandler;
}
