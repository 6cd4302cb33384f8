/** Operations that charge at an outside party before their commit, under races, crashes and lost responses. */
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { successBody } from '../../../shared/contracts/envelope.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { idempotencyStore } from '../../../shared/domain/idempotency/idempotency-store.ts';
import { runOnce } from '../../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { payingGateway } from '../../support/paying-gateway.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;
let now: number;
let accountId: string;
let gateway: ReturnType<typeof payingGateway>;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
beforeEach(() => {
  now = testTime;
  accountId = testIds.next();
  gateway = payingGateway();
});

const clock = { now: () => now };
const leaseMs = 30_000;

class Crash extends Error {}

/** What happens to one request on its way. */
interface Fate {
  /** The step before or after which its process dies; none for a number beyond the last step. */
  readonly diesAt: number;
  readonly outside: 'responds' | 'charges and times out' | 'times out' | 'rejects';
  /** What is bought: another toy is another body. */
  readonly toy?: 'robot' | 'train';
  /** Undefined where the commit goes well. */
  readonly commit?: 'throws' | 'meets an older order' | 'meets what it cannot explain';
}

/** A process whose steps are counted, and which does nothing once it has died. */
function mortal({ diesAt }: Fate) {
  let step = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    step += 1;
    if (step > diesAt) throw new Crash('the process has died');
    // Even numbers die after the effect, so that its response is lost.
    const result = await work();
    if (step === diesAt && diesAt % 2 === 0) throw new Crash('the process has died');
    return result;
  };
}

const orderItem = (charge: string) => ({ pk: `TEST-ORDER-${accountId}`, sk: charge });

const contract = {
  operationId: 'createToyOrder',
  success: { status: 201, data: z.object({ charge: z.string(), toy: z.string() }) },
} as const;

/** A write whose condition never holds. */
const failing = (item: Item = { pk: 'TEST-NOTHING', sk: accountId }) => ({
  Put: {
    Item: item,
    ConditionExpression: 'attribute_exists(nothing)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const,
});

function writesOf({ commit }: Fate, charge: string) {
  if (commit === 'throws') throw new Error('a bug');
  return [
    { action: { Put: { Item: orderItem(charge), ConditionExpression: 'attribute_not_exists(pk)' } } },
    ...(commit === 'meets what it cannot explain' ? [{ action: failing() }] : []),
    ...(commit === 'meets an older order'
      ? [
          {
            action: failing(orderItem('older')),
            rejection: (item?: Item) =>
              new Rejection('forbidden', { message: `The order ${String(item?.sk)} is active.` }),
          },
        ]
      : []),
  ];
}

const orders = () =>
  host.table.list(
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': orderItem('').pk } },
    { limit: 100, offset: 0 },
  );

/** Buys something: charges, then stores the order with the response. */
function buy(fate: Fate, key: string | null = 'order-1') {
  const step = mortal(fate);
  const table: Table = {
    ...host.table,
    put: (input) => step(() => host.table.put(input)),
    update: (input) => step(() => host.table.update(input)),
    transact: (actions) => step(() => host.table.transact(actions)),
  };
  const pause = async (milliseconds: number) => {
    now += milliseconds;
    await turn();
  };
  const { toy = 'robot' } = fate;
  const idempotency = key === null ? undefined : { key, fingerprint: fingerprintOf({ toy }) };
  return runOnce(
    { table, clock, ids: testIds, pause },
    { accountId, contract, idempotency },
    {
      isRepeatable: false,
      call: (outsideKey) =>
        step(async () => {
          await turn();
          if (fate.outside === 'rejects') throw new Rejection('invalid', { message: 'The card was declined.' });
          if (fate.outside === 'times out') throw new Error('timed out');
          const charge = gateway.charge(outsideKey, toy);
          if (fate.outside === 'charges and times out') throw new Error('timed out');
          return charge;
        }),
      commit: (charge) => {
        const data = { charge, toy, secret: 'not in the contract' };
        return { writes: writesOf(fate, charge), data };
      },
    },
  );
}

const well: Fate = { diesAt: 99, outside: 'responds' };

/** The body of the response, as the edge sends it. */
const bodyOf = (outcome: Awaited<ReturnType<typeof buy>>): string =>
  outcome instanceof Replay ? outcome.response.body : successBody(contract.success.data.parse(outcome));

const charged = (count: number, toy = 'robot'): string => successBody({ charge: `${toy}-${count}`, toy });

const kindOf = async (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'completed',
    (error: unknown) => (error instanceof Rejection ? error.kind : 'failed'),
  );

test('one key is charged once and delivers what was charged, despite other bodies, crashes, races and time-outs', async () => {
  const fate = fc.record(
    {
      diesAt: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 99, 99, 99),
      outside: fc.constantFrom('responds', 'responds', 'charges and times out', 'times out', 'rejects'),
      toy: fc.constantFrom('robot', 'train'),
      commit: fc.constantFrom('throws', 'meets an older order', 'meets what it cannot explain'),
    },
    { requiredKeys: ['diesAt', 'outside', 'toy'] },
  ) satisfies fc.Arbitrary<Fate>;
  const waves = fc.array(fc.array(fate, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(waves, async (requests) => {
      [now, accountId, gateway] = [testTime, testIds.next(), payingGateway()];
      await host.table.put({ Item: orderItem('older') });
      const responses: string[] = [];
      for (const wave of requests) {
        const outcomes = await Promise.allSettled(wave.map((one) => buy(one)));
        for (const outcome of outcomes) if (outcome.status === 'fulfilled') responses.push(bodyOf(outcome.value));
        now += leaseMs + 1;
      }
      // An unfinished request of one body is completed by that body only.
      const lasts = [
        await buy(well).catch(() => undefined),
        await buy({ ...well, toy: 'train' }).catch(() => undefined),
      ];
      responses.push(...lasts.filter((last) => last !== undefined).map(bodyOf));
      const [charge = ''] = gateway.charges.values();
      expect(gateway.charges.size).toBe(1);
      expect((await orders()).map(({ sk }) => sk)).toEqual(['older', charge]);
      expect(new Set(responses)).toEqual(new Set([charged(1, charge.slice(0, -2))]));
    }),
    { numRuns: 100 },
  );
});

describe('a repeat while the first request is in progress', () => {
  /** Leaves a claim behind, as a process does that is still at work or has died. */
  const claim = () => buy({ ...well, diesAt: 1 }).catch(() => undefined);

  test('waits five seconds, then is rejected with a time to retry', async () => {
    await claim();
    const error: unknown = await buy(well).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'in-progress', details: { retryAfterSeconds: 1 } });
    expect(now - testTime).toBeGreaterThanOrEqual(5000);
    expect(now - testTime).toBeLessThan(6000);
    expect(gateway.charges.size).toBe(0);
  });

  test('is not treated as a request with a stored response', async () => {
    await claim();
    const scope = { accountId, operationId: contract.operationId, key: 'order-1' };
    expect(await idempotencyStore(host.table).find(scope, now)).toBeUndefined();
  });

  test('takes over once the claim has expired', async () => {
    await claim();
    now += leaseMs;
    expect(bodyOf(await buy(well))).toBe(charged(1));
  });
});

test('a request whose charge was made before it died is completed by its repeat, without a second charge', async () => {
  await buy({ ...well, diesAt: 2 }).catch(() => undefined);
  expect(gateway.charges.size).toBe(1);
  now += leaseMs;
  expect(bodyOf(await buy(well))).toBe(charged(1));
  expect(gateway.charges.size).toBe(1);
});

test('a charge of unknown outcome can be repeated immediately without a second charge', async () => {
  expect(await kindOf(buy({ ...well, outside: 'charges and times out' }))).toBe('failed');
  expect(bodyOf(await buy(well))).toBe(charged(1));
  expect(gateway.charges.size).toBe(1);
  expect(now).toBe(testTime);
});

describe('a request with another body', () => {
  const train: Fate = { ...well, toy: 'train' };

  test('is rejected while the outcome of the first is unknown, and leaves it to be completed', async () => {
    await buy({ ...well, outside: 'charges and times out' }).catch(() => undefined);
    const error: unknown = await buy(train).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'other-body', details: { message: expect.stringMatching(/another body/) } });
    expect(error).not.toHaveProperty('details.retryAfterSeconds');
    expect(bodyOf(await buy(well))).toBe(charged(1));
    expect(gateway.charges.size).toBe(1);
  });

  test('gets the stored response once there is one', async () => {
    await buy(well);
    expect(bodyOf(await buy(train))).toBe(charged(1));
  });

  test('takes the key of a request that was rejected', async () => {
    await buy({ ...well, outside: 'rejects' }).catch(() => undefined);
    expect(bodyOf(await buy(train))).toBe(charged(1, 'train'));
  });
});

test('a rejection after a charge of unknown outcome does not allow a second charge', async () => {
  await buy({ ...well, outside: 'charges and times out' }).catch(() => undefined);
  expect(await kindOf(buy({ ...well, outside: 'rejects' }))).toBe('invalid');
  expect(bodyOf(await buy(well))).toBe(charged(1));
  expect(gateway.charges.size).toBe(1);
});

describe('a commit', () => {
  test.for([
    ['throws', 'failed'],
    ['meets what it cannot explain', 'failed'],
    ['meets an older order', 'forbidden'],
  ] as const)('that %s can be repeated immediately without a second charge', async ([commit, kind]) => {
    await host.table.put({ Item: orderItem('older') });
    expect(await kindOf(buy({ ...well, commit }))).toBe(kind);
    expect(bodyOf(await buy(well))).toBe(charged(1));
    expect(gateway.charges.size).toBe(1);
    expect(now).toBe(testTime);
  });

  test.for(['order-1', null])('rejects with what a failed write means, under the key %s', async (key) => {
    await host.table.put({ Item: orderItem('older') });
    const rejection = new Rejection('forbidden', { message: 'The order older is active.' });
    await expect(buy({ ...well, commit: 'meets an older order' }, key)).rejects.toEqual(rejection);
    expect(await orders()).toHaveLength(1);
  });
});

test('the stored response is the one that was sent, without fields that the contract does not declare', async () => {
  const first = await buy(well);
  expect(first).toHaveProperty('secret');
  expect(await buy(well)).toMatchObject({ response: { status: 201, body: bodyOf(first) } });
});

test('a rejected request leaves nothing behind, and its key is free for a new one', async () => {
  expect(await kindOf(buy({ ...well, outside: 'rejects' }))).toBe('invalid');
  expect(await orders()).toEqual([]);
  expect((await buy(well)) instanceof Replay).toBe(false);
  expect((await buy(well)) instanceof Replay).toBe(true);
});

test('a key returns its response for 24 hours, then allows a new charge', async () => {
  await buy(well);
  now += 24 * 3_600_000 - 1;
  expect((await buy(well)) instanceof Replay).toBe(true);
  now += 1;
  expect(bodyOf(await buy(well))).toBe(charged(2));
});

test('a request without a key is executed each time', async () => {
  const bodies = [await buy(well, null), await buy(well, null)].map(bodyOf);
  expect(bodies).toEqual([charged(1), charged(2)]);
});
