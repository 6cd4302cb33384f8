/** Sessions of the dashboard for tests, and requests as a page of the dashboard makes them. */
import { type DashboardOperationId, dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { type OperationContract, type RequestContract, sessionPathOf } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { type Session, sessionDigest, sessionHours, sessionSecretBytes } from '../../shared/domain/sessions/session.ts';
import { insertSession } from '../../shared/domain/sessions/session-store.ts';
import { cookie, sessionCookie } from '../../shared/runtime/cookies.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { type Call, fill, type TestResponse } from './test-service.ts';

export interface GivenSession {
  readonly session: Session;
  /** The key under which the session is stored. */
  readonly digest: string;
  /** The value of the `Cookie` header. */
  readonly cookie: string;
}

/** A session that has just begun with a password, unless `given` says otherwise. */
export async function giveSession(
  {
    clock,
    ids,
    settings,
    table,
  }: Pick<FullContext, 'clock' | 'ids' | 'table'> & {
    readonly settings: Pick<FullContext['settings'], 'dashboardUrl'>;
  },
  accountId: string,
  given: Partial<Session> = {},
): Promise<GivenSession> {
  const secret = ids.secret(sessionSecretBytes);
  const now = clock.now();
  const session: Session = {
    sessionId: ids.next(),
    accountId,
    kind: 'password',
    provider: 'password',
    subject: ids.next(),
    username: 'test@example.com',
    authenticatedAt: now,
    loginId: ids.next(),
    userAgent: 'test',
    createdAt: now,
    expiresAt: now + sessionHours * 3_600_000,
    ...given,
  };
  const digest = sessionDigest(secret);
  await table.transact([insertSession(digest, session)]);
  const [pair = ''] = cookie(sessionCookie, secret, 0, settings).split(';');
  return { session, digest, cookie: pair };
}

export interface PageCall extends Omit<Call, 'token'> {
  readonly cookie?: string;
}

const contractOf = (operationId: OperationId | DashboardOperationId): Pick<RequestContract, 'method' | 'path'> => {
  const own: Readonly<Partial<Record<string, RequestContract>>> = dashboardContracts;
  const shared: Readonly<Partial<Record<string, OperationContract>>> = registry;
  const ofApi = shared[operationId];
  const found = own[operationId] ?? (ofApi && { method: ofApi.method, path: sessionPathOf(ofApi) });
  if (!found) throw new Error(`there is no operation ${operationId}`);
  return found;
};

/** Calls an operation like a page of the dashboard: with its cookie and from its own origin. */
export const callAsPage = (
  url: string,
  operationId: OperationId | DashboardOperationId,
  call: PageCall,
): Promise<TestResponse & { readonly cookies: readonly string[] }> => callPage(url, contractOf(operationId), call);

/** Calls a route like a page of the same site. */
export async function callPage(
  url: string,
  { method, path }: Pick<RequestContract, 'method' | 'path'>,
  { cookie: sent, headers = {}, body, params, query }: PageCall,
): Promise<TestResponse & { readonly cookies: readonly string[] }> {
  const response = await fetch(`${url}${fill(path, params)}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      ...(sent && { cookie: sent }),
      ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    body: JSON.parse(text) as TestResponse['body'],
  };
}
