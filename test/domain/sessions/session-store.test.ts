/** When a session may create a token, as a condition of the token's own transaction, and how sessions end. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSessionsLimit } from '../../../shared/contracts/limits.ts';
import { sessionDigestOf } from '../../../shared/domain/keys.ts';
import { type Session, sessionDigest } from '../../../shared/domain/sessions/session.ts';
import {
  checkSession,
  endOldest,
  endSession,
  insertSession,
  sessionStore,
} from '../../../shared/domain/sessions/session-store.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const session = (): Session => ({
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
});

async function stored(given: Partial<Session> = {}) {
  const digest = sessionDigest(testIds.secret(32));
  const made = { ...session(), ...given };
  await host.table.transact([insertSession(digest, made)]);
  return { digest, session: made };
}

/** Replaces a session like a confirmation: it ends when its successor begins, unless it has already ended. */
async function replace(digest: string, accountId: string): Promise<void> {
  const successor = { ...session(), accountId };
  const actions = [
    insertSession(sessionDigest(testIds.secret(32)), successor),
    { Update: endSession(digest, testTime) },
  ];
  await host.table.transact(actions).catch((error: unknown) => {
    if (!(error instanceof TransactionCanceled)) throw error;
  });
}

const passes = (digest: string, now: number, confirmation?: { provider: string }) =>
  host.table.transact([checkSession(digest, now, confirmation)]).then(
    () => true,
    () => false,
  );

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

test('only an account’s last log-ins have sessions, even if log-ins run concurrently or crash', async () => {
  const accountId = testIds.next();
  const all: string[] = [];
  const begin = async (crashes = false) => {
    all.push((await stored({ accountId })).session.sessionId);
    if (!crashes) await endOldest(host.table, accountId, testTime);
  };
  for (let count = 0; count < openSessionsLimit - 1; count += 1) await begin(true);
  await begin();
  const live = async () => {
    const rows = await sessionStore(host.table).list(accountId, testTime);
    return rows.map(({ sessionId }) => sessionId).toSorted();
  };
  expect(await live()).toEqual(all);
  await begin();
  expect(await live()).toEqual(all.slice(1));
  expect(await sessionStore(host.table).end(accountId, all[0] ?? '', testTime)).toBe(false);
  await Promise.all([begin(), begin(true), begin(), begin()]);
  await begin(true);
  await begin();
  expect(await live()).toEqual(all.toSorted().slice(-openSessionsLimit));
  // The list shows no more than the limit, so it would not show older sessions.
  expect(await sessionStore(host.table).endAll(accountId, testTime)).toBe(openSessionsLimit);
  const stranger = await stored();
  await endOldest(host.table, stranger.session.accountId, testTime);
  expect(await passes(stranger.digest, testTime)).toBe(true);
});

test('ending an account’s sessions also ends sessions that are being replaced concurrently, but none of another account', async () => {
  const stranger = await stored();
  await fc.assert(
    fc.asyncProperty(fc.nat(4), fc.array(fc.boolean(), { maxLength: 8 }), async (count, choices) => {
      const accountId = testIds.next();
      for (let made = 0; made < count; made += 1) await stored({ accountId });
      const replacements = [...choices];
      const racing: Table = {
        ...host.table,
        async *walk(input) {
          for await (const key of host.table.walk(input)) {
            if (replacements.shift()) await replace(sessionDigestOf(key), accountId);
            yield key;
          }
        },
      };
      const ended = await sessionStore(racing).endAll(accountId, testTime);
      expect(await sessionStore(host.table).list(accountId, testTime)).toEqual([]);
      expect(ended).toBe(count);
      expect(await sessionStore(host.table).endAll(accountId, testTime)).toBe(0);
    }),
    { numRuns: 40 },
  );
  expect(await passes(stranger.digest, testTime)).toBe(true);
});

test('only the digest of a session’s cookie is stored', async () => {
  const secret = testIds.secret(32);
  const digest = sessionDigest(secret);
  await host.table.transact([insertSession(digest, session())]);
  const row = await host.table.get({ pk: `SESSION#${digest}`, sk: 'SESSION' });
  expect(JSON.stringify(row)).toContain(digest);
  expect(JSON.stringify(row)).not.toContain(secret);
});
