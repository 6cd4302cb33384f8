/** Authenticates by session: checks the origin, the cookie and the rate limit, in this order. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestContract } from '../contracts/operation.ts';
import { accountClosed } from '../domain/accounts/closed-account.ts';
import { Rejection } from '../domain/rejection.ts';
import { admitSession } from '../domain/sessions/admit-session.ts';
import { isWellFormedSecret, loggedOut, sessionDigest } from '../domain/sessions/session.ts';
import type { Settings } from '../platform/settings.ts';
import type { SessionActor } from './actor.ts';
import type { Context } from './context.ts';
import { readCookie, sessionCookie, viewCookie } from './cookies.ts';
import { type Exchange, headerValues } from './exchange.ts';
import { requireJson } from './parse-request.ts';

/**
 * Whether a page of the dashboard made the request, against CSRF. The cookie is not enough: pages on another port of the
 * same host send it too.
 */
function isSameOrigin(event: APIGatewayProxyEvent, { dashboardUrl }: Pick<Settings, 'dashboardUrl'>): boolean {
  const sites = headerValues(event, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(event, 'origin');
  return origins.length > 0 && origins.every((origin) => origin === dashboardUrl);
}

/** Rejects requests that no page of the dashboard made. @throws {Rejection} forbidden */
export function requireSameOrigin(event: APIGatewayProxyEvent, settings: Settings): void {
  if (isSameOrigin(event, settings)) return;
  throw new Rejection('forbidden', { message: 'The request must come from a page of the dashboard.' });
}

/**
 * Rejects writes that another site may have made: its forms cannot send JSON. @throws {Rejection} forbidden @throws
 * {ApiError} VALIDATION_ERROR
 */
export function requireOwnWrite(event: APIGatewayProxyEvent, settings: Settings): void {
  if (event.httpMethod === 'GET') return;
  requireSameOrigin(event, settings);
  if (event.httpMethod === 'POST') requireJson(event);
}

/** Rejects what a view may not do; without a contract, that is everything. @throws {Rejection} forbidden */
function requireOpenToViews(contract: RequestContract | undefined): void {
  if (contract?.method === 'GET' && !contract.isHiddenFromViews) return;
  const message =
    contract?.method === 'GET'
      ? 'Operators do not see this part of an account.'
      : 'You see the account as its owner does, and can change nothing.';
  throw new Rejection('forbidden', { message });
}

/**
 * Authenticates a request by its session, even of a closed account; or by an operator's view of the account, if the
 * request names one. @throws {Rejection} forbidden, unauthenticated, rate-limited
 */
export async function authenticateAnySession(
  exchange: Exchange,
  { clock, settings, table }: Context,
  contract?: RequestContract,
): Promise<SessionActor> {
  requireOwnWrite(exchange.event, settings);
  const [viewId, ...more] = headerValues(exchange.event, 'x-view');
  const secret = readCookie(exchange.event, viewId === undefined ? sessionCookie : viewCookie, settings);
  if (!secret || !isWellFormedSecret(secret) || more.length > 0) throw loggedOut();
  const digest = sessionDigest(secret);
  const admission = await admitSession(table, digest, clock.now());
  if (admission.status === 'rejected') throw loggedOut();
  const { session, rateLimit } = admission;
  // A view is no session, even if its secret is sent as one, and a session is no view.
  if (viewId !== (session.viewedBy && session.sessionId)) throw loggedOut();
  const actor: SessionActor = { kind: 'session', accountId: session.accountId, session, digest };
  exchange.actor = actor;
  if (admission.status === 'limited') {
    const message = 'Too many requests: wait a moment.';
    throw new Rejection('rate-limited', { message, retryAfterSeconds: rateLimit.resetSeconds });
  }
  if (viewId !== undefined) requireOpenToViews(contract);
  return actor;
}

/** Does the same if the account is open. @throws {Rejection} forbidden, unauthenticated, rate-limited */
export async function authenticateSession(
  exchange: Exchange,
  context: Context,
  contract?: RequestContract,
): Promise<SessionActor> {
  const actor = await authenticateAnySession(exchange, context, contract);
  if (actor.session.isOfClosed) throw accountClosed();
  return actor;
}
