/** Completed log-ins that race or crash: a confirmed session has one successor, and a callback is accepted once. */
import { beforeEach, expect, test } from 'vitest';
import { openSessionsLimit } from '../../../shared/contracts/limits.ts';
import { beginConfirmation, beginLogin } from '../../../shared/domain/sessions/begin-login.ts';
import { type Callback, completeLogin } from '../../../shared/domain/sessions/complete-login.ts';
import { type Session, sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { insertSession, sessionStore } from '../../../shared/domain/sessions/session-store.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { Identified, Identity, LoginRequest } from '../../../shared/gateways/identity.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let by: Identified;
let isEnabled: boolean;
let asked: LoginRequest | undefined;

const host = await tableInTests();
beforeEach(() => {
  isEnabled = true;
  by = {
    issuer: 'https://issuer.example',
    subject: testIds.next(),
    username: 'Google_1',
    kind: 'social',
    provider: 'Google',
    name: 'Ana',
    email: `${testIds.next()}@example.com`,
    isEmailVerified: true,
    authenticatedAt: testTime,
    loginId: 'first',
    groups: [],
  };
});

/** The provider accepts every code, so that only the domain's own rules are tested. */
const identity: Identity = {
  loginUrl: (request) => {
    asked = request;
    return 'https://login.example';
  },
  logoutUrl: () => 'https://logout.example',
  identify: async () => by,
  checkPassword: async () => 'rejected',
  isEnabled: async () => isEnabled,
  deleteUser: async () => undefined,
};

const contextAt = (now: number, table: Table = host.table) => {
  const clock = { now: () => now };
  const context = createFullContext({ TABLE_NAME: 'unused' }, { clock, ids: testIds });
  return { ...context, ...stores(table, clock), identity };
};

const callbackOf = (secret: string, replaces?: string): Callback => ({
  code: 'code',
  state: asked?.state,
  error: undefined,
  secret,
  replaces,
  userAgent: 'x'.repeat(1000),
});

const rules = { signUp: 'open', credits: 0 } as const;
const later = testTime + 3_600_000;

/** A session that the first log-in has created. */
async function begun(): Promise<{ session: Session; digest: string }> {
  const { secret } = await beginLogin(contextAt(testTime), { returnTo: undefined });
  const done = await completeLogin(contextAt(testTime), callbackOf(secret), rules);
  if ('problem' in done) throw new Error(done.problem);
  return { session: done.session, digest: sessionDigest(done.secret) };
}

async function confirmation(given: { session: Session; digest: string }, startedAt = later) {
  const { secret } = await beginConfirmation(contextAt(startedAt), given, { returnTo: undefined, prompt: 'login' });
  return callbackOf(secret, given.digest);
}

const outcome = async (callback: Callback, context = contextAt(later)) => {
  const done = await completeLogin(context, callback, rules);
  return 'problem' in done ? done.problem : 'done';
};

const sessionsOf = ({ session }: { session: Session }) => sessionStore(host.table).list(session.accountId, later);

test('a session that several tabs confirm concurrently has exactly one successor', async () => {
  const given = await begun();
  const callbacks = [await confirmation(given), await confirmation(given), await confirmation(given)];
  by = { ...by, authenticatedAt: later, loginId: 'second' };
  const outcomes = await Promise.all(callbacks.map((callback) => outcome(callback)));
  expect(outcomes.toSorted()).toEqual(['done', 'expired', 'expired']);
  expect(await sessionsOf(given)).toHaveLength(1);
});

test('a log-in beyond the limit of sessions ends the oldest', async () => {
  const oldest = await begun();
  const { accountId } = oldest.session;
  const others = Array.from({ length: openSessionsLimit - 1 }, () =>
    insertSession(sessionDigest(testIds.secret(32)), { ...oldest.session, sessionId: testIds.next() }),
  );
  await host.table.transact(others);
  await begun();
  const sessions = sessionStore(host.table);
  expect(await sessions.end(accountId, oldest.session.sessionId, testTime)).toBe(false);
  expect(await sessions.endAll(accountId, testTime)).toBe(openSessionsLimit);
});

test('a log-in callback that arrives many times concurrently takes effect once', async () => {
  const { secret } = await beginLogin(contextAt(later), { returnTo: undefined });
  const callback = callbackOf(secret);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(callback)));
  expect(outcomes.toSorted()).toEqual(['done', 'expired', 'expired', 'expired', 'expired']);
});

test('a crash before the commit leaves the session that was being confirmed unchanged', async () => {
  const given = await begun();
  const callback = await confirmation(given);
  by = { ...by, authenticatedAt: later, loginId: 'second' };
  const crash = async () => {
    throw new Error('crashed');
  };
  await expect(outcome(callback, contextAt(later, { ...host.table, transact: crash }))).rejects.toThrow('crashed');
  const [left, ...more] = await sessionsOf(given);
  expect([left?.sessionId, more]).toEqual([given.session.sessionId, []]);
});

test.each([
  ['30 s before the confirmation began confirms the session', later - 30_000, 'second', 'done'],
  ['31 s before the confirmation began does not confirm the session', later - 31_000, 'second', 'not-recent'],
  [
    'after the confirmation began, but without a new prompt, does not confirm the session',
    later,
    'first',
    'not-recent',
  ],
])('a log-in %s', async (_, authenticatedAt, loginId, expected) => {
  const given = await begun();
  const callback = await confirmation(given);
  by = { ...by, authenticatedAt, loginId };
  expect(await outcome(callback)).toBe(expected);
});

test.each([
  ['another subject', { subject: 'another' }],
  ['another provider', { provider: 'Facebook' }],
  ['a password', { provider: 'password', kind: 'password' }],
] as const)('a log-in with %s does not confirm a session', async (_, change) => {
  const given = await begun();
  const callback = await confirmation(given);
  by = { ...by, authenticatedAt: later, loginId: 'second', ...change };
  expect(await outcome(callback)).toBe('other-account');
});

test('a disabled user cannot confirm a session', async () => {
  const given = await begun();
  const callback = await confirmation(given);
  by = { ...by, authenticatedAt: later, loginId: 'second' };
  isEnabled = false;
  expect(await outcome(callback)).toBe('disabled');
  expect(await sessionsOf(given)).toMatchObject([{ sessionId: given.session.sessionId }]);
});

test('the confirmation of a session takes effect only in the browser in which it began', async () => {
  const [given, other] = [await begun(), await begun()];
  const callback = await confirmation(given);
  by = { ...by, authenticatedAt: later, loginId: 'second' };
  expect(await outcome({ ...callback, replaces: other.digest })).toBe('expired');
  expect(await outcome({ ...(await confirmation(given)), replaces: undefined })).toBe('expired');
});
