/** Circuits against a model of them, on the real table and under concurrency. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  type Circuit,
  failuresThatOpen,
  openUntil,
  pauseAfter,
  quorum,
  recentMs,
  unusedCircuit,
} from '../../../shared/domain/generation/circuit.ts';
import { circuitStore } from '../../../shared/domain/generation/circuit-store.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

/** A time that is longer than an instance caches what it has read. */
const freshMs = 5_000;

/** The clock advances only on command, so that the model and the store always agree on the time. */
function stillClock() {
  let now = testTime;
  return {
    now: () => now,
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}

function subject() {
  const clock = stillClock();
  const route = `offline/${testIds.next()}`;
  const newStore = () => circuitStore(host.table, clock);
  return {
    clock,
    newStore,
    taskOf: (accountId: string, createdAt = clock.now()) => ({ route, accountId, createdAt }),
    circuit: async () => (await newStore().read()).get(route) ?? unusedCircuit,
  };
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

const actionsOf = (accounts: readonly string[]) =>
  fc.array(
    fc.record({
      accountId: fc.constantFrom(...accounts),
      action: fc.constantFrom('fails', 'fails', 'fails', 'fails late', 'works', 'waits'),
      ms: fc.integer({ min: 1, max: 30_000 }),
    }),
    { minLength: 1, maxLength: 50 },
  );

describe('compared with a model, the circuit', () => {
  interface Account {
    failures: number;
    openUntil: number;
  }

  /**
   * The accounts that failed since the last success, or since the circuit was last opened, in order; and until when the
   * circuit is open.
   */
  interface Route {
    failed: readonly string[];
    openings: number;
    openUntil: number;
  }

  /** Which accounts are rejected: of those that use the route, and of one that has never used it. */
  const rejected = (used: ReadonlyMap<string, Account>, route: Route, accountId: string, now: number): boolean =>
    route.openUntil > now || (used.get(accountId)?.openUntil ?? 0) > now;

  function routeAfter(route: Route, accountId: string, at: number): Route {
    const failed = [...route.failed, accountId];
    const [votesEach, votesNeeded] = route.openings === 0 ? [5, 15] : [1, 1];
    const votes = [...new Set(failed)].map((id) => Math.min(votesEach, failed.filter((other) => other === id).length));
    if (votes.reduce((sum, count) => sum + count, 0) < votesNeeded) return { ...route, failed };
    return { failed: [], openings: route.openings + 1, openUntil: at + pauseAfter(5 + route.openings) };
  }

  const repeated = (action: string, count: number) =>
    times(count).map((index) => ({ accountId: 'abcd'[index % 4] ?? 'a', action, ms: 20_000 }));
  /** Opens for all accounts before any account has failed five times, and again after the pause. */
  const outage = [
    ...repeated('fails', 15),
    ...repeated('waits', 2),
    ...repeated('fails late', 1),
    ...repeated('fails', 4),
  ];
  /** Two failures, which are no outage, then a success, and two failures, which are too few after it. */
  const recovery = [...repeated('fails', 13), ...repeated('works', 1), ...repeated('fails', 3).slice(1)];

  test('opens for an account after five failures in a row, and for all once enough accounts fail, until its pause ends', async () => {
    const accounts = ['a', 'b', 'c', 'd'];
    await fc.assert(
      fc.asyncProperty(actionsOf(accounts), async (actions) => {
        const { clock, newStore, taskOf, circuit } = subject();
        const instances = [newStore(), newStore()];
        const used = new Map<string, Account>();
        let route: Route = { failed: [], openings: 0, openUntil: 0 };
        for (const [index, { accountId, action, ms }] of actions.entries()) {
          const store = instances[index % 2] ?? newStore();
          const account = used.get(accountId) ?? { failures: 0, openUntil: 0 };
          if (action === 'waits') clock.advance(ms);
          if (action === 'works') {
            await store.recordSuccess(taskOf(accountId));
            used.set(accountId, { failures: 0, openUntil: 0 });
            route = { failed: [], openings: 0, openUntil: 0 };
          }
          if (action === 'fails' || action === 'fails late') {
            const createdAt = action === 'fails' ? clock.now() : 0;
            const pausedUntil = Math.max(account.openUntil, route.openUntil);
            const counts = !rejected(used, route, accountId, clock.now()) && createdAt >= pausedUntil;
            const failures = account.failures + 1;
            const opens = counts && failures >= failuresThatOpen;
            const at = clock.now();
            const routeBefore = route;
            if (counts) route = routeAfter(route, accountId, at);
            const opensForAll = route.openings === 1 && routeBefore.openings === 0;
            expect(await store.recordFailure(taskOf(accountId, createdAt))).toBe(
              opensForAll || (opens && failures === failuresThatOpen),
            );
            if (counts) used.set(accountId, { failures, openUntil: opens ? at + pauseAfter(failures) : 0 });
          }
          clock.advance(freshMs);
          const found = await circuit();
          for (const id of [...accounts, 'newcomer']) {
            expect([id, openUntil(found, id, clock.now()) !== undefined]).toEqual([
              id,
              rejected(used, route, id, clock.now()),
            ]);
          }
        }
      }),
      { numRuns: 40, examples: [[outage], [recovery]] },
    );
  });
});

describe('however a single account behaves, concurrently or not,', () => {
  test('that account cannot cause another account to be rejected', async () => {
    const attack = fc.array(
      fc.record({ failures: fc.integer({ min: 0, max: 12 }), waitMs: fc.integer({ min: 0, max: 400_000 }) }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(attack, async (bursts) => {
        const { clock, newStore, taskOf, circuit } = subject();
        for (const { failures, waitMs } of bursts) {
          await Promise.all([
            ...times(failures).map(() => newStore().recordFailure(taskOf('attacker'))),
            // Fewer failures than open a circuit, followed by a success.
            ...times(failuresThatOpen - 1).map(() => newStore().recordFailure(taskOf('customer'))),
          ]);
          const found = await circuit();
          expect(openUntil(found, 'customer', clock.now())).toBeUndefined();
          expect(openUntil(found, 'newcomer', clock.now())).toBeUndefined();
          await newStore().recordSuccess(taskOf('customer'));
          clock.advance(waitMs);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('that account cannot affect another account, even one that is failing itself', () => {
    const play = (actions: readonly { accountId: string; action: string; ms: number }[]) => {
      let now = 2 * recentMs;
      let circuit: Circuit = unusedCircuit;
      const seen: (number | undefined)[] = [];
      for (const { accountId, action, ms } of actions) {
        if (action === 'waits') now += ms;
        else if (action === 'works') circuit = afterSuccess(circuit, { accountId }) ?? circuit;
        else circuit = afterFailure(circuit, { accountId, createdAt: action === 'fails' ? now : 0 }, now) ?? circuit;
        if (accountId === 'attacker' && action !== 'waits') continue;
        seen.push(...['failing', 'one', 'other', 'newcomer'].map((id) => openUntil(circuit, id, now)));
      }
      return seen;
    };
    fc.assert(
      fc.property(actionsOf(['attacker', 'attacker', 'failing']), (actions) => {
        const without = actions.filter(({ accountId, action }) => accountId !== 'attacker' || action === 'waits');
        expect(play(actions)).toEqual(play(without));
      }),
      { numRuns: 500 },
    );
  });
});

test('the circuit stays closed for other accounts, however many fail, while any account’s task succeeds now and then', () => {
  const failures = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: quorum * failuresThatOpen - 1 });
  const waits = fc.integer({ min: 0, max: 400_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(failures, waits), { minLength: 1, maxLength: 30 }), (rounds) => {
      let [now, circuit] = [2 * recentMs, unusedCircuit];
      for (const [failing, waitMs] of rounds) {
        for (const attacker of failing) {
          circuit = afterFailure(circuit, { accountId: `attacker-${attacker}`, createdAt: now }, now) ?? circuit;
          expect(openUntil(circuit, 'customer', now)).toBeUndefined();
        }
        circuit = afterSuccess(circuit, { accountId: 'customer' }) ?? circuit;
        now += waitMs;
      }
    }),
  );
});

describe('the circuit under concurrent failures', () => {
  test('opens once for all accounts when many accounts fail', async () => {
    const { clock, newStore, taskOf, circuit } = subject();
    const opened = await Promise.all(times(18).map((index) => newStore().recordFailure(taskOf(`account-${index}`))));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(openUntil(await circuit(), 'newcomer', clock.now())).toBe(clock.now() + pauseAfter(failuresThatOpen));
  });

  test('opens once for the one account that fails, and late failures do not extend the pause', async () => {
    const { clock, newStore, taskOf, circuit } = subject();
    const opened = await Promise.all(
      times(3 * failuresThatOpen).map(() => newStore().recordFailure(taskOf('attacker'))),
    );
    expect(opened.filter(Boolean)).toHaveLength(1);
    const { failures, openUntil: until = 0 } = (await circuit()).accounts.attacker ?? {};
    expect(failures).toBe(failuresThatOpen);
    expect(until).toBeLessThanOrEqual(clock.now() + pauseAfter(failuresThatOpen));
  });

  test('counts every failure of several accounts', async () => {
    const { newStore, taskOf, circuit } = subject();
    const accounts = times(8).map((index) => `account-${index}`);
    await Promise.all(accounts.map((accountId) => newStore().recordFailure(taskOf(accountId))));
    const { accounts: recorded } = await circuit();
    expect(accounts.map((accountId) => recorded[accountId]?.failures)).toEqual(accounts.map(() => 1));
  });
});

test('a success ends the streak of failures in the circuit, however quickly failures and successes follow one another', async () => {
  const { newStore, taskOf } = subject();
  const store = newStore();
  for (const _ of times(2 * failuresThatOpen)) {
    expect(await store.recordFailure(taskOf('account'))).toBe(false);
    await store.recordSuccess(taskOf('account'));
  }
});

test('the circuit ignores failures of tasks that were created before the pause ended', async () => {
  const { clock, newStore, taskOf, circuit } = subject();
  const store = newStore();
  const before = clock.now();
  for (const _ of times(failuresThatOpen)) await store.recordFailure(taskOf('account'));
  clock.advance(pauseAfter(failuresThatOpen) + freshMs);
  await store.recordFailure(taskOf('account', before));
  expect(openUntil(await circuit(), 'account', clock.now())).toBeUndefined();
});
