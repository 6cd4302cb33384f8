/** Creates responses to HTTP requests, for successes and errors. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorBody } from '../contracts/envelope.ts';
import { allErrors } from '../contracts/errors.ts';
import { envelopeHeaders } from '../contracts/gateway.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';

/** A successful response: its exact body and additional headers. */
export interface Reply<Body extends string | Buffer = string> {
  readonly status: number;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export const respond = (
  { cookies, requestId, responseHeaders }: Exchange,
  { status, body, headers }: Reply<string | Buffer>,
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...envelopeHeaders, 'X-Request-Id': requestId, ...responseHeaders, ...headers },
  // API Gateway sends repeated headers only from `multiValueHeaders`.
  ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': cookies } }),
  ...(typeof body === 'string' ? { body } : { body: body.toString('base64'), isBase64Encoded: true }),
});

export const logFailure = ({ name: operation, requestId }: Exchange, logger: Context['logger'], error: unknown): void =>
  logger.error('request failed', { requestId, operation, error: error as Error });

/** Turns an error into a response; an unexpected error is logged and reveals nothing to the client. */
export function respondToError(
  exchange: Exchange,
  { logger }: Pick<Context, 'logger'>,
  thrown: unknown,
): APIGatewayProxyResult {
  const expected = apiErrorOf(thrown, exchange.rules);
  if (!expected) logFailure(exchange, logger, thrown);
  const { code, message, internal, retryAfterSeconds } = expected ?? new ApiError('INTERNAL_ERROR');
  exchange.code = code;
  exchange.reason = internal;
  return respond(exchange, {
    status: allErrors[code].status,
    body: errorBody(code, message),
    headers: {
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
  });
}
