/** Writes the single log line of each HTTP request. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';

/** Logs a request. Must never include a token, a body, a prompt, a path or a query string. */
export function logRequest(
  { clock, logger }: Pick<Context, 'clock' | 'logger'>,
  { actor, code, name: operation, reason, requestId, startedAt, taskId }: Exchange,
  { statusCode: status }: Pick<APIGatewayProxyResult, 'statusCode'>,
): void {
  logger.info('request', {
    requestId,
    operation,
    accountId: actor && 'accountId' in actor ? actor.accountId : undefined,
    tokenId: actor?.kind === 'token' ? actor.tokenId : undefined,
    sessionId: actor?.kind === 'session' ? actor.session.sessionId : undefined,
    taskId,
    status,
    code,
    reason,
    ms: clock.now() - startedAt,
  });
}
