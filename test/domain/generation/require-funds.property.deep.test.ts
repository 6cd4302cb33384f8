/**
 * Before what is limited is used for a request, such as a look-up at a video site, the request is rejected if the account
 * could not create it, and only then: for the reason for which its creation would be.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { barOn } from '../../../shared/domain/accounts/charged-failures.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { enginePricesRow } from '../../../shared/domain/catalog/engine-prices-row.ts';
import { requestGeneration } from '../../../shared/domain/generation/request-generation.ts';
import { closeAccount } from '../../../shared/domain/privacy/closing.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import { generationNeeds } from '../../support/generation-needs.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { rejectionOf } from './voice-request.ts';

const { table } = await tableInTests();
const clock = { now: () => testTime };
const store = stores(table, clock);

const least = 17;
const routes = ['klap/video-to-shorts', 'vizard/project'].map((id) => ({ id, engine: 'klap' as const }));
const passed = new Error('the inspection went on');

const state = fc.record({
  balance: fc.constantFrom(least - 1, least, 1000),
  open: fc.constantFrom(0, simultaneousTasks - 1, simultaneousTasks),
  barred: fc.constantFrom('no', 'yesterday', 'today'),
  isClosed: fc.nat({ max: 5 }).map((number) => number === 0),
  /** What the engine of each route charges for a task. */
  micros: fc.tuple(fc.constantFrom(0, 70_000, 70_000), fc.constantFrom(0, 70_000, 70_000)),
});
type State = typeof state extends fc.Arbitrary<infer One> ? One : never;

async function accountIn({ balance, open, barred, isClosed }: State): Promise<string> {
  const openTasks = Array.from({ length: open }, () => testIds.next());
  const { accountId } = anAccount();
  await store.accounts.insert(anAccount({ accountId, balance, features: ['cortes'] }), undefined);
  if (open > 0) {
    const values = { ':open': new Set(openTasks) };
    await table.transact([updateAccount(accountId, [{ set: ['openTasks = :open'], values }])]);
  }
  const barredAt = { no: undefined, yesterday: testTime - dayMs, today: testTime }[barred];
  if (barredAt !== undefined) await table.transact([updateAccount(accountId, [barOn(barredAt)])]);
  if (isClosed) await closeAccount({ clock, table }, accountId);
  return accountId;
}

const expectedOf = ({ balance, open, barred, isClosed, micros }: State) => {
  if (isClosed) return 'forbidden';
  if (barred === 'today' && micros.every((price) => price > 0)) return 'rate-limited';
  if (balance < least) return 'insufficient-credits';
  return open === simultaneousTasks ? 'too-many-tasks' : undefined;
};

test('a request is inspected only if the account could create it on one of the routes, however little it cost', async () => {
  const seen = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(state, async (given) => {
      const accountId = await accountIn(given);
      const prices = Object.fromEntries(
        routes.map(({ id }, index) => [id, { per: 'job', micros: given.micros[index] ?? 0, charged: [] } as const]),
      );
      const catalog: typeof store.catalog = {
        ...store.catalog,
        read: async (row) =>
          (row.name === enginePricesRow.name ? { prices, creditMicros: 1 } : store.catalog.read(row)) as never,
      };
      const request = {
        body: { videoUrl: 'https://youtu.be/abcdefghijk' },
        headers: {},
        actor: { accountId, tokenId: testIds.next() },
        idempotency: undefined,
        requestId: testIds.next(),
        retryAfter: () => undefined,
      };
      const asked = requestGeneration(request, generationNeeds(store, { catalog, clock }), generationOf('cortes'), {
        leastCost: () => least,
        cost: () => least,
        inspect: async (_body, { requireFunds }) => {
          requireFunds(routes);
          throw passed;
        },
      });
      const expected = expectedOf(given);
      seen.add(expected);
      if (expected === undefined) await expect(asked).rejects.toBe(passed);
      else expect(await rejectionOf(asked)).toMatchObject({ kind: expected });
    }),
    { numRuns: 80, examples: [[{ balance: 1000, open: 0, barred: 'today', isClosed: false, micros: [70_000, 0] }]] },
  );
  expect(seen.size).toBe(5);
});
