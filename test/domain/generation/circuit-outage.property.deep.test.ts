/**
 * Simulated outages of a route: its circuit detects real ones after any history, and a few accounts cannot fake one.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountsKept,
  afterFailure,
  afterSuccess,
  type Circuit,
  failuresThatOpen,
  openForAllUntil,
  openUntil,
  pauseAfter,
  quorum,
  recentMs,
  unusedCircuit,
} from '../../../shared/domain/generation/circuit.ts';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the outage of an engine', () => {
  /** A route with any history: up to 200 accounts that failed, succeeded or waited, as far as they were admitted. */
  const past = fc.array(
    fc.record({
      account: fc.nat(199),
      action: fc.constantFrom('fails', 'fails', 'works'),
      ms: fc.constantFrom(0, 1000, 60_000),
    }),
    { maxLength: 300 },
  );
  const start = 2 * recentMs;
  const use = (circuit: Circuit, accountId: string, action: string, now: number): Circuit => {
    if (openUntil(circuit, accountId, now) !== undefined) return circuit;
    const ended = { accountId, createdAt: now };
    return (action === 'works' ? afterSuccess : afterFailure)(circuit, ended, now) ?? circuit;
  };
  const play = (actions: readonly { account: number; action: string; ms: number }[]) => {
    let [circuit, now] = [unusedCircuit, start];
    for (const { account, action, ms } of actions) {
      now += ms;
      circuit = use(circuit, `account-${account}`, action, now);
    }
    return { circuit, now };
  };
  /**
   * An hour of failures of 2,000 accounts in turn, 20 tasks an hour each; requests that an open circuit rejects are
   * skipped.
   */
  const failHour = (from: Circuit, startedAt: number) => {
    let [circuit, accepted, now] = [from, 0, startedAt];
    let first: number | undefined;
    for (let index = 0; now < startedAt + 3_600_000; index += 1) {
      const until = openForAllUntil(circuit, now);
      first ??= until && accepted;
      now = until ?? now + 90;
      const accountId = `customer-${index % 2000}`;
      if (openUntil(circuit, accountId, now) === undefined) accepted += 1;
      circuit = use(circuit, accountId, 'fails', now);
    }
    return { accepted, first };
  };

  test('is detected within fifteen failures, and few more follow in an hour, whatever the circuit’s row contained', () => {
    const full = times(accountsKept).map((account) => ({ account, action: 'fails', ms: 0 }));
    // A success after each failure fills the row without building a streak of failures.
    const filled = full.flatMap((action) => [action, { account: 199, action: 'works', ms: 0 }]);
    fc.assert(
      fc.property(past, (actions) => {
        const { circuit, now } = play(actions);
        const { first, accepted } = failHour(circuit, now);
        expect(first).toBeLessThanOrEqual(quorum * failuresThatOpen);
        expect(accepted).toBeLessThanOrEqual(quorum * failuresThatOpen + 20 * quorum);
      }),
      { numRuns: 30, examples: [[filled]] },
    );
  });

  test('does not evict an account’s failures from a full row, so the circuit still opens for the account', () => {
    let [circuit, now] = [unusedCircuit, start];
    const end = (accountId: string, action: 'fails' | 'works') => {
      circuit = use(circuit, accountId, action, now);
      now += 1;
    };
    for (const failure of times((failuresThatOpen - 1) * accountsKept)) {
      end(`account-${failure % accountsKept}`, 'fails');
      // Without a success after each failure, the streak of failures would open the circuit for all accounts.
      end('healthy', 'works');
    }
    end('newcomer', 'fails');
    expect(openUntil(circuit, 'account-0', now)).toBeUndefined();
    end('account-0', 'fails');
    expect(openUntil(circuit, 'account-0', now)).toBeDefined();
    expect(openUntil(circuit, 'healthy', now)).toBeUndefined();
  });

  test('cannot be faked by two accounts, before or after a real one, while others succeed or are idle', () => {
    const attack = fc.array(
      fc.record({
        accountId: fc.constantFrom('attacker', 'accomplice', 'attacker', 'accomplice', 'customer'),
        ms: fc.constantFrom(0, 0, 1000, 40_000, 400_000),
      }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(attack, fc.boolean(), (actions, hadOutage) => {
        // Three recent users: with fewer, failures of all of them would be enough to open the circuit.
        let circuit = ['one', 'other', 'third'].reduce((used, id) => use(used, id, 'works', start), unusedCircuit);
        if (hadOutage) for (const index of times(15)) circuit = use(circuit, `account-${index}`, 'fails', start);
        expect(openForAllUntil(circuit, start) !== undefined).toBe(hadOutage);
        let now = start + pauseAfter(failuresThatOpen);
        for (const { accountId, ms } of actions) {
          now = Math.min(now + ms, start + recentMs / 2);
          circuit = use(circuit, accountId, accountId === 'customer' ? 'works' : 'fails', now);
          expect(openUntil(circuit, 'customer', now)).toBeUndefined();
          expect(openUntil(circuit, 'newcomer', now)).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is not detected when three tasks in a hundred fail', () => {
    const tasks = fc.noBias(
      fc.array(fc.record({ account: fc.nat(1999), chance: fc.nat(99) }), { minLength: 2000, maxLength: 2000 }),
    );
    fc.assert(
      fc.property(tasks, (ended) => {
        let circuit = unusedCircuit;
        for (const [index, { account, chance }] of ended.entries()) {
          const now = start + index * 90;
          circuit = use(circuit, `customer-${account}`, chance < 3 ? 'fails' : 'works', now);
          expect(openForAllUntil(circuit, now)).toBeUndefined();
        }
      }),
      { numRuns: 20 },
    );
  });
});
