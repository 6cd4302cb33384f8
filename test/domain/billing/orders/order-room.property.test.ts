/** An account's orders that wait for their payment are limited, however many are requested at the same moment. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrdersLimit } from '../../../../shared/contracts/limits.ts';
import { moveOrder } from '../../../../shared/domain/billing/orders/order-store.ts';
import { TableBusy } from '../../../../shared/platform/table-busy.ts';
import { type TestTable, testTable } from '../../../support/test-table.ts';
import { type BillingWorld, billingWorld } from '../billing-world.ts';
import { well } from '../mortal-process.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

/** Repeated as by a client with its key: on a busy machine, writes meet too many others or get no response in time. */
async function buy(world: BillingWorld, key: string): Promise<void> {
  await world.step({ do: 'buy', buyer: 0, pack: 0, key, ...well }).catch((error: unknown) => {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!isTimeout && !(error instanceof TableBusy)) throw error;
    return buy(world, key);
  });
}

const histories = fc.array(fc.record({ requests: fc.integer({ min: 1, max: 25 }), ends: fc.nat({ max: 25 }) }), {
  minLength: 1,
  maxLength: 2,
});

test('concurrent requests create only as many open orders as the limit allows, and ended orders free their place', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const world = await billingWorld(host.table);
      const pending = async () => {
        const made = await Promise.all([...world.promised].map((orderId) => world.stores.orders.findPack(orderId)));
        return made.flatMap((order) => (order?.status === 'pending' ? [order] : []));
      };
      let left = 0;
      const rounds = [{ requests: openOrdersLimit - 1, ends: 0 }, ...history];
      for (const [round, { requests, ends }] of rounds.entries()) {
        await Promise.all(Array.from({ length: requests }, (_, nth) => buy(world, `${round} ${nth}`)));
        left = Math.min(openOrdersLimit, left + requests);
        const waiting = await pending();
        expect(waiting.length).toBe(left);
        const ended = waiting.slice(0, ends).map((order) => moveOrder(order, { status: 'expired' }));
        await Promise.all(ended.map((action) => world.stores.table.transact([action])));
        left -= Math.min(ends, left);
      }
    }),
    { numRuns: 4, examples: [[[{ requests: 25, ends: 3 }]]] },
  );
});
