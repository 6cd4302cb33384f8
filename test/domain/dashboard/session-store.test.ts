/** When a session may create a token: as the condition that stands in the token's own transaction. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, sessionDigest } from '../../../shared/domain/dashboard/session.ts';
import { checkSession, insertSession, sessionStore } from '../../../shared/domain/dashboard/session-store.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

async function stored(given: Partial<Session> = {}) {
  const digest = sessionDigest(testIds.secret(32));
  const session: Session = {
    sessionId: testIds.next(),
    accountId: testIds.next(),
    kind: 'social',
    provider: 'Google',
    subject: 'subject',
    username: 'Google_1',
    authenticatedAt: testTime,
    loginId: 'login',
    userAgent: '',
    createdAt: testTime,
    expiresAt: testTime + 12 * 3_600_000,
    ...given,
  };
  await host.table.transact([insertSession(digest, session)]);
  return { digest, session };
}

const passes = (digest: string, now: number, confirmation?: { provider: string }) =>
  host.table.transact([checkSession(digest, now, confirmation)]).then(
    () => true,
    () => false,
  );

test.each([
  [-31, false],
  [-30, true],
  [0, true],
  [598, true],
  [600, true],
  [602, false],
])('a log-in counts as a confirmation %s seconds after it: %s', async (seconds, expected) => {
  const { digest } = await stored();
  expect(await passes(digest, testTime + seconds * 1000, { provider: 'Google' })).toBe(expected);
});

test('a log-in through another provider confirms nothing', async () => {
  const { digest } = await stored();
  expect(await passes(digest, testTime, { provider: 'Facebook' })).toBe(false);
});

test('a session that has ended or expired, or that never was, confirms nothing', async () => {
  const { digest, session } = await stored();
  expect(await passes(digest, testTime)).toBe(true);
  expect(await passes(digest, session.expiresAt)).toBe(false);
  expect(await sessionStore(host.table).end(session.accountId, session.sessionId, testTime)).toBe(true);
  expect(await passes(digest, testTime)).toBe(false);
  expect(await passes(sessionDigest('unknown'), testTime)).toBe(false);
});

test('a session is listed however many newer ones have ended', async () => {
  const { session } = await stored();
  const { accountId } = session;
  for (let count = 0; count < 101; count += 1) await stored({ accountId, expiresAt: testTime + 1 });
  const listed = await sessionStore(host.table).list(accountId, testTime + 1);
  expect(listed.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
});

test('nothing of the cookie is stored but its digest', async () => {
  const secret = testIds.secret(32);
  const digest = sessionDigest(secret);
  const { session } = await stored();
  await host.table.transact([insertSession(digest, { ...session, sessionId: testIds.next() })]);
  const row = await host.table.get({ pk: `SESSION#${digest}`, sk: 'SESSION' });
  expect(JSON.stringify(row)).toContain(digest);
  expect(JSON.stringify(row)).not.toContain(secret);
});
