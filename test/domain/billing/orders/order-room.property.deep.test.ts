/** An account's unpaid orders and their charges are limited, however many are requested concurrently. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOrdersLimit } from '../../../../shared/contracts/limits.ts';
import { moveOrder } from '../../../../shared/domain/billing/orders/order-store.ts';
import { TableBusy } from '../../../../shared/platform/table-busy.ts';
import { tableInTests } from '../../../support/test-table.ts';
import { leftovers, violations } from '../billing-oracle.ts';
import { type BillingWorld, billingWorld } from '../billing-world.ts';
import { type Outcomes, well } from '../mortal-process.ts';

const host = await tableInTests();

/**
 * Retries like a client with its idempotency key: on a busy machine, writes conflict too often or get no response in
 * time.
 */
async function buy(world: BillingWorld, key: string, outcomes: Outcomes = well): Promise<void> {
  await world.step({ do: 'buy', buyer: 0, pack: 0, key, ...outcomes }).catch((error: unknown) => {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!isTimeout && !(error instanceof TableBusy)) throw error;
    return buy(world, key);
  });
}

const pendingOrders = async ({ promised, stores }: BillingWorld) => {
  const made = await Promise.all([...promised].map((orderId) => stores.orders.findPack(orderId)));
  return made.flatMap((order) => (order?.status === 'pending' ? [order] : []));
};

/** The charges at the gateway that can still be paid. */
const openCharges = ({ truth }: BillingWorld) =>
  [...truth.payments.values()].filter(({ status }) => status === 'pending').map(({ paymentId }) => paymentId);

const histories = fc.array(fc.record({ requests: fc.integer({ min: 1, max: 25 }), ends: fc.nat({ max: 25 }) }), {
  minLength: 1,
  maxLength: 2,
});

test('concurrent requests create only as many open orders as the limit allows, and ended orders free their places', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const world = await billingWorld(host.table);
      let left = 0;
      const rounds = [{ requests: openOrdersLimit - 1, ends: 0 }, ...history];
      for (const [round, { requests, ends }] of rounds.entries()) {
        await Promise.all(Array.from({ length: requests }, (_, nth) => buy(world, `${round} ${nth}`)));
        left = Math.min(openOrdersLimit, left + requests);
        const waiting = await pendingOrders(world);
        expect(waiting.length).toBe(left);
        expect(openCharges(world).toSorted()).toEqual(waiting.map(({ chargeId }) => chargeId).toSorted());
        const ended = waiting.slice(0, ends);
        for (const { chargeId } of ended) world.truth.end(chargeId, 'expired');
        await Promise.all(ended.map((order) => world.stores.table.transact([moveOrder(order, { status: 'expired' })])));
        left -= Math.min(ends, left);
      }
    }),
    { numRuns: 4, examples: [[[{ requests: 25, ends: 3 }]]] },
  );
});

const faults: fc.Arbitrary<Outcomes> = fc.record({
  gateway: fc.constantFrom('responds', 'is lost', 'is down', 'refuses'),
  crash: fc.record({ at: fc.constantFrom(Number.POSITIVE_INFINITY, 1, 2, 3), after: fc.boolean() }),
});

test('concurrent order requests that fail never exceed the limit of open orders, and their charges are closed later', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { minLength: 5, maxLength: 20 }), async (failing) => {
      const world = await billingWorld(host.table);
      const outcomes = [...failing, ...Array.from({ length: 30 }, () => well)];
      await Promise.all(outcomes.map((one, nth) => buy(world, `${nth}`, one)));
      const waiting = await pendingOrders(world);
      expect(waiting.length).toBeLessThanOrEqual(openOrdersLimit);
      // Only a failed request can leave a charge without an order.
      expect(openCharges(world).length).toBeLessThanOrEqual(waiting.length + failing.length);
      await world.settle();
      expect([...(await violations(world)), ...(await leftovers(world))]).toEqual([]);
    }),
    { numRuns: 4 },
  );
});
