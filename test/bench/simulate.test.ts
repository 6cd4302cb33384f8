/** The model of scale: that it keeps to its own rules, and that the page says what it says. */
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
import { webhookQueueLimits } from '../../infra/hosting.ts';

describe('the page on scale', () => {
  test('quotes the tables that the simulation prints, all of them, in their order', { timeout: 120_000 }, () => {
    expect(tablesIn(readFileSync(scalePage, 'utf8'))).toEqual(report());
  });

  test('can be given new tables, and keeps everything else', () => {
    const page = '# Page\n\n```text\nold\n```\n\n```\ndrawing\n```\n\n```text\nolder\n```\n';
    expect(withTables(page, ['new', 'newer $1'])).toBe(
      '# Page\n\n```text\nnew\n```\n\n```\ndrawing\n```\n\n```text\nnewer $1\n```\n',
    );
    expect(() => withTables(page, ['new'])).toThrow('the page has 2 blocks of text for 1 tables');
  });
});

describe('what a quota lets through', () => {
  const demand = demandOf({ reports: 'callback', asks: 0, polls: 10, jobSeconds: 30 });
  const breaksAt = (name: string) => limitsOf(demand).find((limit) => limit.name.startsWith(name))?.breaksAt;

  test('is the quota by what a task needs of it', () => {
    expect(breaksAt('Step Functions: StartExecution')).toBe(300);
    expect(breaksAt('Step Functions: state transitions')).toBe(1500 / 2);
    expect(breaksAt('API Gateway')).toBeCloseTo(10_000 / 13, 9);
    // Its one request and ten polls; the engine's two callbacks are not counted.
    expect(breaksAt('Our firewall')).toBeCloseTo(30_000 / 300 / 11, 9);
    expect(breaksAt('DynamoDB: write units a second of a shard')).toBeCloseTo((8 * 1000) / 6, 9);
  });

  test('comes first where it breaks first, and not at all where nothing is needed', () => {
    const order = limitsOf(demand).map((limit) => limit.breaksAt);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(breaksAt('Step Functions: SendTaskFailure')).toBeUndefined();
  });

  test('is held in simultaneous calls by how long each takes', () => {
    // 0.06 + 10 × 0.03 + 0.36 + 2 × 0.03 + 0.35 + 0.37
    expect(concurrencyOf(demand)).toBeCloseTo(1.5, 9);
  });
});

test('what happens, happens in the order of its time, and of its addition when that is the same', () => {
  const events = eventQueue();
  const random = randomFrom(7);
  const planned = Array.from({ length: 500 }, (_, place) => ({ at: Math.floor(random() * 50), place }));
  const happened: { at: number; place: number }[] = [];
  for (const one of planned) events.add(one.at, (at) => happened.push({ at, place: one.place }));
  events.run(Number.POSITIVE_INFINITY);
  expect(happened).toEqual(planned.toSorted((one, other) => one.at - other.at || one.place - other.place));
});

describe('starts', () => {
  test('below the quota are all made at once', () => {
    expect(simulateStarts(100, 0, 60)).toMatchObject({ refused: 0, unstarted: 0 });
  });

  test('above it are as many as the bucket held and what came into it', () => {
    const { delays, tasks, unstarted } = simulateStarts(1000, 0, 60);
    expect(delays.length).toBeLessThanOrEqual(1300 + 300 * 60);
    expect(delays.length).toBeGreaterThan(1300 + 300 * 60 - 10);
    expect(unstarted).toBe(tasks - delays.length);
  });

  test('that were refused at once are made up for by the sweeper', () => {
    const { delays, refused, unstarted } = simulateStarts(1, 3000, 130);
    expect(refused).toBeGreaterThan(1000);
    expect(unstarted).toBe(0);
    expect(Math.max(...delays)).toBeGreaterThan(60);
  });
});

describe('transactions of one account', () => {
  test('that never meet take as long as they hold the item', () => {
    const { conflicted, delays, failed, transactions } = burstConflicts(1, 15, 50);
    expect({ conflicted, failed }).toEqual({ conflicted: 0, failed: 0 });
    expect(delays).toEqual(Array.from({ length: transactions }, () => expect.closeTo(15, 6)));
  });

  test('come to an end, one way or the other, and more of them badly the more there are', () => {
    const [few, many] = [burstConflicts(5, 15, 100), burstConflicts(20, 15, 100)];
    for (const { delays, failed, transactions } of [few, many]) expect(delays.length + failed).toBe(transactions);
    expect(many.failed / many.transactions).toBeGreaterThan(few.failed / few.transactions);
  });

  test('meet as often as chance has it: a share of rate by time held', () => {
    const { conflicted, transactions } = steadyConflicts(2, 15, 5000);
    expect(conflicted / transactions).toBeCloseTo(0.03, 2);
  });
});

describe('webhooks', () => {
  const load = { answered: 50, silentAccounts: 10, silentEach: 0.5, seconds: 120 };

  test('wait for nobody while there are workers', () => {
    const { waits, backlog } = simulateWebhooks(load, 10_000, 'one queue');
    expect(Math.max(...waits)).toBe(0);
    expect(backlog).toBe(0);
  });

  test('of other accounts wait at most a second while accounts flood the queue for silent receivers', () => {
    const { concurrency } = webhookQueueLimits;
    for (const silentAccounts of [1, 5]) {
      const { waits } = simulateWebhooks({ ...cancelAttack, silentAccounts }, concurrency, 'bounded');
      expect(waits.length).toBeGreaterThan(1000);
      expect(percentile(waits, 0.99)).toBeLessThanOrEqual(1);
    }
    const unbounded = simulateWebhooks(cancelAttack, concurrency, 'one queue');
    expect(percentile(unbounded.waits, 0.99)).toBeGreaterThan(10);
  });

  test('of an account with a large part of all in flight let others pass in a fair queue', () => {
    const oneLoud = { answered: 50, silentAccounts: 1, silentEach: 10, seconds: 120 };
    const worst = (policy: 'one queue' | 'fair queue') =>
      Math.max(...simulateWebhooks(oneLoud, 100, policy).waits.slice(-500));
    expect(worst('fair queue')).toBeLessThan(worst('one queue') / 2);
  });
});

test('accounts fill cells with all that they make, and none with more than its own limit', () => {
  const { busiest, busiestAccount, mean } = fillCells(500, 5, 10_000, 0.5);
  expect(mean).toBe(100);
  expect(busiest).toBeGreaterThanOrEqual(mean);
  expect(busiest).toBeLessThan(1.5 * mean);
  expect(busiestAccount).toBe(0.5);
});
