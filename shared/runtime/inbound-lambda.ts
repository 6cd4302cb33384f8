/** How a call of an outside party, authenticated by its own signature, becomes a call of ours: raw body, no token. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import { errorBody, successBody } from '../contracts/envelope.ts';
import { type ErrorCode, errors } from '../contracts/errors.ts';
import { contextWith, type PortFactories, type PortName, type With } from './context.ts';
import { tellRequest } from './request-line.ts';

export type InboundHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

export interface InboundRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  /** By lower-case name; the last of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that was signed. */
  readonly body: string;
}

/** What the caller is told: that it was taken, or why not. */
export type Inbound<Names extends PortName> = (
  request: InboundRequest,
  context: With<Names>,
) => Promise<'accepted' | Extract<ErrorCode, 'NOT_FOUND' | 'UNAUTHORIZED'>>;

/** A provider repeats what was not answered with a 2xx, so that a fault of ours must not look like one. */
const answer = (requestId: string, outcome: 'accepted' | ErrorCode): APIGatewayProxyResult => ({
  statusCode: outcome === 'accepted' ? 200 : errors[outcome].status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  },
  body: outcome === 'accepted' ? successBody({}) : errorBody(outcome, errors[outcome].description),
});

const inboundRequest = (event: APIGatewayProxyEvent): InboundRequest => ({
  params: event.pathParameters ?? {},
  headers: Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? ''])),
  body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString(),
});

/** The Lambda handler of an inbound call. */
export function inboundLambda<Names extends PortName = never>(
  name: string,
  inbound: Inbound<Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): InboundHandler {
  const contextOf = contextWith(ports);
  const outcomeOf = async (event: APIGatewayProxyEvent): Promise<'accepted' | ErrorCode> => {
    const { requestId } = event.requestContext;
    try {
      return await inbound(inboundRequest(event), contextOf());
    } catch (error) {
      contextOf().logger.error('inbound call failed', { inbound: name, requestId, error: error as Error });
      return 'INTERNAL_ERROR';
    }
  };

  const chain = middy().handler(async (given: unknown) => {
    const event = given as APIGatewayProxyEvent;
    const { requestId } = event.requestContext;
    const startedAt = contextOf().clock.now();
    const outcome = await outcomeOf(event);
    const result = answer(requestId, outcome);
    const code = outcome === 'accepted' ? undefined : outcome;
    tellRequest(contextOf(), { requestId, operation: name, code, startedAt }, result);
    return result;
  });
  return chain as InboundHandler;
}
