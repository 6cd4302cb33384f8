/**
 * Authenticates the caller of an operation that the API and the dashboard share: the route decides whether it is a token
 * or a session.
 */
import { type OperationContract, sessionRoot } from '../contracts/operation.ts';
import { acceptsTests } from '../contracts/scopes.ts';
import { Rejection } from '../domain/rejection.ts';
import { testAccountOf } from '../domain/test-account.ts';
import type { SessionActor } from './actor.ts';
import { ApiError } from './api-error.ts';
import { authenticateSession } from './authenticate-session.ts';
import type { With } from './context.ts';
import { type Exchange, headerValues } from './exchange.ts';
import { authenticateByToken, type EdgePort, type Known } from './operation-lambda.ts';

/**
 * Lets a session act for the test account of its owner if the request asks for that. A token needs no such choice,
 * because it is a live or a test token itself.
 */
function inRequestedMode(exchange: Exchange, actor: SessionActor, { scopes }: OperationContract): SessionActor {
  const [mode, ...more] = headerValues(exchange.event, 'x-test-mode');
  if (mode === undefined) return actor;
  if (mode !== 'true' || more.length > 0) {
    throw new ApiError('VALIDATION_ERROR', { message: 'X-Test-Mode must be true, or absent' });
  }
  exchange.responseHeaders['X-Test-Mode'] = 'true';
  if (!acceptsTests(scopes)) throw new Rejection('forbidden', { message: 'This operation has no test mode.' });
  const tester = { ...actor, accountId: testAccountOf(actor.accountId) };
  exchange.actor = tester;
  return tester;
}

/** @throws {Rejection} unauthenticated, rate-limited, forbidden @throws {ApiError} VALIDATION_ERROR */
export const authenticateCaller =
  (contract: OperationContract & { readonly dashboard: true }) =>
  async (exchange: Exchange, context: With<EdgePort>): Promise<Known> =>
    // `resource` is undefined when the function is warmed up.
    exchange.event.resource?.startsWith(sessionRoot)
      ? inRequestedMode(exchange, await authenticateSession(exchange, context, contract), contract)
      : authenticateByToken(contract)(exchange, context);
