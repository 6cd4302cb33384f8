/** The scale simulation follows its own rules, and docs/scale.md quotes its current results. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { percentile } from '../../bench/percentile.ts';
import { fillCells } from '../../bench/simulate/cells.ts';
import { burstConflicts, steadyConflicts } from '../../bench/simulate/conflicts.ts';
import { concurrencyOf, demandOf } from '../../bench/simulate/demand.ts';
import { eventQueue } from '../../bench/simulate/event-queue.ts';
import { limitsOf } from '../../bench/simulate/limits.ts';
import { randomFrom } from '../../bench/simulate/random.ts';
import { cancelAttack, report } from '../../bench/simulate/report.ts';
import { scalePage, tablesIn, withTables } from '../../bench/simulate/scale-page.ts';
import { simulateStarts } from '../../bench/simulate/starts.ts';
import { simulateWebhooks } from '../../bench/simulate/webhook-workers.ts';
import { queues } from '../../infra/hosting.ts';

describe('docs/scale.md', () => {
  test('contains all tables that the simulation prints, in order', () => {
    expect(tablesIn(readFileSync(scalePage, 'utf8'))).toEqual(report());
  });

  test('keeps all other text when its tables are replaced', () => {
    const page = '# Page\n\n```text\nold\n```\n\n```\ndrawing\n```\n\n```text\nolder\n```\n';
    expect(withTables(page, ['new', 'newer $1'])).toBe(
      '# Page\n\n```text\nnew\n```\n\n```\ndrawing\n```\n\n```text\nnewer $1\n```\n',
    );
    expect(() => withTables(page, ['new'])).toThrow('The page has 2 text blocks for 1 tables.');
  });
});

describe('the load at which a quota breaks', () => {
  const demand = demandOf({ completion: 'callback', checks: 0, polls: 10, jobSeconds: 30 });
  const breaksAt = (name: string) => limitsOf(demand).find((limit) => limit.name.startsWith(name))?.breaksAt;

  test('is the quota divided by what a task needs', () => {
    expect(breaksAt('Step Functions: StartExecution')).toBe(300);
    expect(breaksAt('Step Functions: state transitions')).toBe(1500 / 2);
    expect(breaksAt('API Gateway')).toBeCloseTo(10_000 / 13, 9);
    // Its one request and ten polls; the engine's two callbacks are not counted.
    expect(breaksAt('Our firewall')).toBeCloseTo(30_000 / 300 / 11, 9);
    expect(breaksAt('DynamoDB: write units per second of a shard')).toBeCloseTo((8 * 1000) / 6, 9);
  });

  test('determines the order of the limits, without quotas that a task does not need', () => {
    const order = limitsOf(demand).map((limit) => limit.breaksAt);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(breaksAt('Step Functions: SendTaskFailure')).toBeUndefined();
  });

  test('depends on the duration of each invocation for concurrency', () => {
    // 0.06 + 10 × 0.03 + 0.36 + 2 × 0.03 + 0.35 + 0.37
    expect(concurrencyOf(demand)).toBeCloseTo(1.5, 9);
  });
});

test('events run in order of time, and in order of insertion at equal times', () => {
  const events = eventQueue();
  const random = randomFrom(7);
  const planned = Array.from({ length: 500 }, (_, place) => ({ at: Math.floor(random() * 50), place }));
  const happened: { at: number; place: number }[] = [];
  for (const one of planned) events.add(one.at, (at) => happened.push({ at, place: one.place }));
  events.run(Number.POSITIVE_INFINITY);
  expect(happened).toEqual(planned.toSorted((one, other) => one.at - other.at || one.place - other.place));
});

describe('starts', () => {
  test('below the quota all succeed immediately', () => {
    expect(simulateStarts(100, 0, 60)).toMatchObject({ throttled: 0, unstarted: 0 });
  });

  test('above the quota number what the bucket held plus its refill', () => {
    const { delays, tasks, unstarted } = simulateStarts(1000, 0, 60);
    expect(delays.length).toBeLessThanOrEqual(1300 + 300 * 60);
    expect(delays.length).toBeGreaterThan(1300 + 300 * 60 - 10);
    expect(unstarted).toBe(tasks - delays.length);
  });

  test('that were throttled in a burst are completed by the sweeper', () => {
    const { delays, throttled, unstarted } = simulateStarts(1, 3000, 130);
    expect(throttled).toBeGreaterThan(1000);
    expect(unstarted).toBe(0);
    expect(Math.max(...delays)).toBeGreaterThan(60);
  });
});

describe('transactions of one account', () => {
  test('that never conflict take as long as they hold the item', () => {
    const { conflicted, delays, failed, transactions } = burstConflicts(1, 15, 50);
    expect({ conflicted, failed }).toEqual({ conflicted: 0, failed: 0 });
    expect(delays).toEqual(Array.from({ length: transactions }, () => expect.closeTo(15, 6)));
  });

  test('all commit or fail, and a larger burst fails more often', () => {
    const [few, many] = [burstConflicts(5, 15, 100), burstConflicts(80, 15, 100)];
    for (const { delays, failed, transactions } of [few, many]) expect(delays.length + failed).toBe(transactions);
    expect(many.failed / many.transactions).toBeGreaterThan(few.failed / few.transactions);
  });

  test('conflict with a probability of rate times hold time', () => {
    const { conflicted, transactions } = steadyConflicts(2, 15, 5000);
    expect(conflicted / transactions).toBeCloseTo(0.03, 2);
  });
});

describe('webhooks', () => {
  const load = { responsive: 50, silentAccounts: 10, silentEach: 0.5, seconds: 120 };

  test('do not wait while workers are free', () => {
    const { waits, backlog } = simulateWebhooks(load, 10_000, 'one queue');
    expect(Math.max(...waits)).toBe(0);
    expect(backlog).toBe(0);
  });

  test('of other accounts wait at most a second while some accounts flood the queue with silent receivers', () => {
    const { concurrency } = queues.webhooks;
    for (const silentAccounts of [1, 5]) {
      const { waits } = simulateWebhooks({ ...cancelAttack, silentAccounts }, concurrency, 'bounded');
      expect(waits.length).toBeGreaterThan(1000);
      expect(percentile(waits, 0.99)).toBeLessThanOrEqual(1);
    }
    const unbounded = simulateWebhooks(cancelAttack, concurrency, 'one queue');
    expect(percentile(unbounded.waits, 0.99)).toBeGreaterThan(10);
  });

  test('of an account with a large share in flight let others overtake in a fair queue', () => {
    const oneLoud = { responsive: 50, silentAccounts: 1, silentEach: 10, seconds: 120 };
    const worst = (policy: 'one queue' | 'fair queue') =>
      Math.max(...simulateWebhooks(oneLoud, 100, policy).waits.slice(-500));
    expect(worst('fair queue')).toBeLessThan(worst('one queue') / 2);
  });
});

test('cells receive all tasks, and no account exceeds its own limit', () => {
  const { busiest, busiestAccount, mean } = fillCells(500, 5, 10_000, 0.5);
  expect(mean).toBe(100);
  expect(busiest).toBeGreaterThanOrEqual(mean);
  expect(busiest).toBeLessThan(1.5 * mean);
  expect(busiestAccount).toBe(0.5);
});
