/** Writes the log line of each HTTP request, and of each request of a batch. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { metricsFor } from '../domain/metrics.ts';
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';

type Needs = Pick<Context, 'clock' | 'logger' | 'metrics'>;
type Result = Pick<APIGatewayProxyResult, 'statusCode'>;

/** The operator who makes a request, or who sees an account as its owner does. */
function operatorOf(actor: Actor | undefined): string | undefined {
  if (actor?.kind === 'operator') return actor.operatorId;
  return actor?.kind === 'session' ? actor.session.viewedBy : undefined;
}

/** What is logged of a request. Must never include a token, a body, a prompt, a path or a query string. */
function lineOf({ clock, metrics }: Needs, exchange: Exchange, { statusCode: status }: Result) {
  const { actor, code, name: operation, reason, requestId, startedAt, taskId } = exchange;
  const accountId = actor && 'accountId' in actor ? actor.accountId : undefined;
  if (code === 'RATE_LIMITED') metricsFor(metrics, accountId).record({ RateLimitRejections: 1 }, { operation });
  return {
    requestId,
    operation,
    accountId,
    tokenId: actor?.kind === 'token' ? actor.tokenId : undefined,
    sessionId: actor && 'session' in actor ? actor.session.sessionId : undefined,
    operatorId: operatorOf(actor),
    taskId,
    status,
    code,
    reason,
    ms: clock.now() - startedAt,
  };
}

/** Logs a request, and counts it if it exceeded a rate limit. */
export const logRequest = (needs: Needs, exchange: Exchange, result: Result): void =>
  needs.logger.info('request', lineOf(needs, exchange, result));

/** Logs one of the requests of a batch by its position. */
export const logBatchItem = (needs: Needs, exchange: Exchange, result: Result, index: number): void =>
  needs.logger.info('batch item', { ...lineOf(needs, exchange, result), index });
