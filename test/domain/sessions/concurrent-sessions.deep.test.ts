/** Log-ins, confirmations and log-outs of one account that happen concurrently. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSessionsLimit } from '../../../shared/contracts/limits.ts';
import { sessionDigestOf } from '../../../shared/domain/keys.ts';
import { sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { endOldest, endSession, insertSession, sessionStore } from '../../../shared/domain/sessions/session-store.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { aSession, storedSessions } from './stored-sessions.ts';

const host = await tableInTests();

const { passes, stored } = storedSessions(host.table);

/** Replaces a session like a confirmation: it ends when its successor begins, unless it has already ended. */
async function replace(digest: string, accountId: string): Promise<void> {
  const successor = { ...aSession(), accountId };
  const actions = [
    insertSession(sessionDigest(testIds.secret(32)), successor),
    { Update: endSession(digest, testTime) },
  ];
  await host.table.transact(actions).catch((error: unknown) => {
    if (!(error instanceof TransactionCanceled)) throw error;
  });
}

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
