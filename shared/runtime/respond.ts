/** The answer to a request: status, headers and envelope, whichever way it ended. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorBody, successBody } from '../contracts/envelope.ts';
import { errors } from '../contracts/errors.ts';
import type { Exchange } from './exchange.ts';
import { Refusal, Replay } from './refusal.ts';

const answer = (
  { requestId, responseHeaders }: Exchange,
  statusCode: number,
  body: string,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...responseHeaders,
    ...headers,
  },
  body,
});

export const isDryRun = ({ contract, request }: Exchange): boolean =>
  contract.dryRun !== undefined &&
  (request?.headers as Readonly<Record<string, unknown>> | undefined)?.['x-dry-run'] === 'true';

/** What an operation returned, through its own schema: a field that the contract does not declare can not leak. */
export function succeed(exchange: Exchange, data: unknown): APIGatewayProxyResult {
  const { contract } = exchange;
  if (contract.dryRun && isDryRun(exchange)) return answer(exchange, 200, successBody(contract.dryRun.parse(data)));
  const { status, data: schema, cacheControl } = contract.success;
  const headers = cacheControl ? { 'Cache-Control': cacheControl } : undefined;
  return answer(exchange, status, successBody(schema.parse(data)), headers);
}

const replay = (exchange: Exchange, { response }: Replay): APIGatewayProxyResult =>
  answer(exchange, response.status, response.body, {
    'Idempotent-Replayed': 'true',
    ...(response.fingerprint !== exchange.request?.idempotency?.fingerprint && { 'Idempotent-Body-Mismatch': 'true' }),
  });

function refuse(exchange: Exchange, { code, message, retryAfterSeconds }: Refusal): APIGatewayProxyResult {
  exchange.code = code;
  return answer(exchange, errors[code].status, errorBody(code, message), {
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    ...(code === 'UNAUTHORIZED' && { 'WWW-Authenticate': 'Bearer' }),
  });
}

/** What an error comes down to for the client; one that nobody expected is logged, and reveals nothing. */
export function recover(exchange: Exchange, error: unknown): APIGatewayProxyResult {
  if (error instanceof Replay) return replay(exchange, error);
  if (error instanceof Refusal) return refuse(exchange, error);
  const { context, contract, requestId } = exchange;
  context.logger.error('request failed', { requestId, operation: contract.operationId, error: error as Error });
  return refuse(exchange, new Refusal('INTERNAL_ERROR', { message: 'internal error' }));
}
