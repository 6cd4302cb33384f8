/**
 * Simulated outages of a route: its circuit detects real ones after any history, and a few accounts cannot fake one.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitAccount } from '../../../shared/domain/generation/admit-account.ts';
import {
  accountsKept,
  afterFailure,
  afterNothing,
  afterSuccess,
  type Circuit,
  failuresThatOpen,
  openForAllUntil,
  openUntil,
  pauseAfter,
  quorum,
  recentMs,
  stateOf,
  unusedCircuit,
} from '../../../shared/domain/generation/circuit.ts';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the outage of an engine', () => {
  type Verdict = 'works' | 'fails' | 'nothing';
  /** A route with any history: up to 200 accounts that failed, succeeded or waited, as far as they were admitted. */
  const past = fc.array(
    fc.record({
      account: fc.nat(199),
      action: fc.constantFrom<Verdict>('fails', 'fails', 'works', 'nothing'),
      ms: fc.constantFrom(0, 1000, 60_000),
    }),
    { maxLength: 300 },
  );
  const start = 2 * recentMs;
  /** A task of the account that ends at once, if the circuit admits it. */
  const use = (circuit: Circuit, accountId: string, verdict: Verdict, now: number): Circuit => {
    const admission = admitAccount(circuit, accountId, now);
    if (admission.status === 'open') return circuit;
    const admitted = admission.status === 'half-open' ? admission.claimed : circuit;
    const after = { works: afterSuccess, fails: afterFailure, nothing: afterNothing }[verdict];
    return after(admitted, { accountId, createdAt: now }, now) ?? admitted;
  };
  const rejects = (circuit: Circuit, accountId: string, now: number) =>
    admitAccount(circuit, accountId, now).status === 'open';
  const play = (actions: readonly { account: number; action: Verdict; ms: number }[]) => {
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
      if (!rejects(circuit, accountId, now)) accepted += 1;
      circuit = use(circuit, accountId, 'fails', now);
    }
    return { accepted, first };
  };

  test('is detected within fifteen failures and causes few more in an hour, whatever the stored circuit contained', () => {
    const full = times(accountsKept).map((account) => ({ account, action: 'fails' as const, ms: 0 as const }));
    // A success after each failure fills the row without building a streak of failures.
    const filled = full.flatMap((action) => [action, { account: 199, action: 'works' as const, ms: 0 as const }]);
    fc.assert(
      fc.property(past, (actions) => {
        const { circuit, now } = play(actions);
        const { first, accepted } = failHour(circuit, now);
        expect(first).toBeLessThanOrEqual(quorum * failuresThatOpen);
        expect(accepted).toBeLessThanOrEqual(quorum * failuresThatOpen + 20);
      }),
      { numRuns: 30, examples: [[filled]] },
    );
  });

  test('does not push an account’s failures out of a full circuit row, so that the circuit can still open for that account', () => {
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

  const outage = (from: Circuit) =>
    times(quorum * failuresThatOpen).reduce((failed, index) => use(failed, `account-${index}`, 'fails', start), from);

  test('cannot be simulated by two accounts, before or after a real outage, while others succeed or are idle', () => {
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
        if (hadOutage) circuit = outage(circuit);
        expect(openForAllUntil(circuit, start) !== undefined).toBe(hadOutage);
        let now = start + pauseAfter(failuresThatOpen);
        if (hadOutage) circuit = use(circuit, 'one', 'works', now);
        for (const { accountId, ms } of actions) {
          now = Math.min(now + ms, start + recentMs / 2);
          circuit = use(circuit, accountId, accountId === 'customer' ? 'works' : 'fails', now);
          expect(rejects(circuit, 'customer', now)).toBe(false);
          expect(rejects(circuit, 'newcomer', now)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('lasts at most two pauses longer for other accounts if two accounts take up every probe', () => {
    const attackers = fc.constantFrom(['attacker', 'accomplice'], ['accomplice', 'attacker'], ['attacker']);
    const probes = fc.array(fc.record({ attackers, verdict: fc.constantFrom<Verdict>('fails', 'nothing') }), {
      minLength: 10,
      maxLength: 10,
    });
    fc.assert(
      fc.property(probes, (attempts) => {
        let [circuit, now, rejections] = [outage(unusedCircuit), start, 0];
        for (const attempt of attempts) {
          const admission = admitAccount(circuit, 'customer', now);
          if (admission.status === 'open') now = admission.until;
          for (const accountId of attempt.attackers) circuit = use(circuit, accountId, attempt.verdict, now);
          if (!rejects(circuit, 'customer', now)) break;
          rejections += 1;
        }
        expect(rejections).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('is not prolonged by inconclusive probes, however many accounts make them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 30 }), (probers) => {
        const failing = outage(unusedCircuit);
        const now = openForAllUntil(failing, start) ?? expect.fail('the circuit is not open');
        const circuit = probers.reduce((probed, prober) => use(probed, `prober-${prober}`, 'nothing', now), failing);
        expect(rejects(circuit, 'customer', now)).toBe(false);
      }),
    );
  });

  test('is shown as open, then as half-open until a task completes', () => {
    const later = start + pauseAfter(failuresThatOpen);
    const open = outage(unusedCircuit);
    const closed = use(open, 'customer', 'works', later);
    expect([stateOf(open, start), stateOf(open, later), stateOf(closed, later)]).toEqual([
      'open',
      'half-open',
      'closed',
    ]);
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
