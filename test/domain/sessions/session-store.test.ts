import { expect, test } from 'vitest';
import { sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { insertSession, sessionStore } from '../../../shared/domain/sessions/session-store.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { aSession, storedSessions } from './stored-sessions.ts';

const host = await tableInTests();

const { passes, stored } = storedSessions(host.table);

test.for([
  ['31 s in the future does not confirm', -31],
  ['30 s in the future confirms', -30],
  ['just now confirms', 0],
  ['598 s ago confirms', 598],
  ['600 s ago confirms', 600],
  ['602 s ago does not confirm', 602],
] as const)('a log-in %s a session', async ([outcome, seconds]) => {
  const { digest } = await stored();
  const confirms = outcome.endsWith('confirms');
  expect(await passes(digest, testTime + seconds * 1000, { provider: 'Google' })).toBe(confirms);
});

test('a log-in through another provider does not confirm a session', async () => {
  const { digest } = await stored();
  expect(await passes(digest, testTime, { provider: 'Facebook' })).toBe(false);
});

test('a session that ended, expired or never existed cannot be confirmed', async () => {
  const { digest, session: made } = await stored();
  expect(await passes(digest, testTime)).toBe(true);
  expect(await passes(digest, made.expiresAt)).toBe(false);
  expect(await sessionStore(host.table).end(made.accountId, made.sessionId, testTime)).toBe(true);
  expect(await passes(digest, testTime)).toBe(false);
  expect(await passes(sessionDigest('unknown'), testTime)).toBe(false);
});

test('a session is listed however many newer ones have ended', async () => {
  const { session: oldest } = await stored();
  const { accountId } = oldest;
  for (let count = 0; count < 101; count += 1) await stored({ accountId, expiresAt: testTime + 1 });
  const listed = await sessionStore(host.table).list(accountId, testTime + 1);
  expect(listed.map(({ sessionId }) => sessionId)).toEqual([oldest.sessionId]);
});

test('only the digest of a session’s cookie is stored', async () => {
  const secret = testIds.secret(32);
  const digest = sessionDigest(secret);
  await host.table.transact([insertSession(digest, aSession())]);
  const row = await host.table.get({ pk: `SESSION#${digest}`, sk: 'SESSION' });
  expect(JSON.stringify(row)).toContain(digest);
  expect(JSON.stringify(row)).not.toContain(secret);
});
