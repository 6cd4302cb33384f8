/** Runs all simulations and formats them as the tables in docs/scale.md. */

import { queues } from '../../infra/hosting.ts';
import { simultaneousTasks } from '../../shared/contracts/limits.ts';
import { conflictRetries, longestPauseMs } from '../../shared/platform/dynamo-table.ts';
import { percentile } from '../percentile.ts';
import { type TextTable, textTable } from '../text-table.ts';
import { fillCells } from './cells.ts';
import { burstConflicts, type Conflicts, steadyConflicts } from './conflicts.ts';
import { type Demand, demandOf } from './demand.ts';
import { inboxPagesTable, inboxUsesTable } from './inbox-tables.ts';
import { type Limit, limitsOf } from './limits.ts';
import { rounded } from './rounded.ts';
import { simulateStarts, sweepLimitSeconds, sweptPerSecond } from './starts.ts';
import { type Load, type Policy, simulateWebhooks } from './webhook-workers.ts';

const polls = 10;
const callingBack = demandOf({ completion: 'callback', checks: 0, polls, jobSeconds: 30 });
const polled = demandOf({ completion: 'polling', checks: 8, polls, jobSeconds: 60 });

const rates = [100, 1000, 10_000] as const;

const percent = (share: number): string => `${rounded(share * 100)} %`;
const times = (value: number): string => `${rounded(value)} ×`;

const limitRow = ({ name, quota, need, breaksAt }: Limit): string[] => [
  name,
  rounded(quota),
  rounded(need),
  rounded(breaksAt),
  ...rates.map((rate) => times(rate / breaksAt)),
];

const limitsTable = (title: string, demand: Demand, count: number): TextTable => ({
  title,
  columns: ['quota', 'amount', 'per task', 'breaks at /s', ...rates.map((rate) => `at ${rounded(rate)}/s`)],
  rows: limitsOf(demand).slice(0, count).map(limitRow),
});

/** The average load of a cell, in tasks per second. */
const cellTasks = 150;
const accountsPerTask = 100;
const accountLimit = simultaneousTasks / callingBack.openSeconds;

function cellsTable(): TextTable {
  const limits = limitsOf(callingBack).filter(({ name }) => !/engine|new table|^Our/.test(name));
  const rows = rates.map((rate) => {
    const filling = fillCells(rate, Math.ceil(rate / cellTasks), rate * accountsPerTask, accountLimit);
    const tightest = limits[0];
    return [
      rounded(rate),
      rounded(filling.accounts),
      filling.busiestAccount.toFixed(2),
      filling.cells,
      rounded(filling.mean),
      rounded(filling.busiest),
      percent(filling.busiest / (tightest?.breaksAt ?? 1)),
    ];
  });
  return {
    title: `Cells of ${cellTasks} tasks per second on average, with accounts assigned at random`,
    columns: [
      'tasks /s',
      'accounts',
      'busiest account /s',
      'cells',
      'mean /s',
      'busiest cell /s',
      'of its tightest quota',
    ],
    rows,
  };
}

const startSeconds = 300;

function startsTable(): TextTable {
  const loads = [
    [200, 0],
    [250, 2000],
    [280, 5000],
    [330, 0],
    [400, 0],
    [1000, 0],
  ] as const;
  const rows = loads.map(([perSecond, atOnce]) => {
    const { tasks, throttled, delays, unstarted } = simulateStarts(perSecond, atOnce, startSeconds);
    const delay = (share: number): string => percentile(delays, share).toFixed(1);
    return [
      perSecond,
      rounded(atOnce),
      rounded(tasks),
      percent(throttled / tasks),
      delay(0.95),
      delay(0.99),
      rounded(unstarted),
    ];
  });
  return {
    title: `Starts against the quota, ${startSeconds} s; the sweeper starts what requests could not`,
    columns: ['tasks /s', 'burst', 'tasks', 'throttled', 'p95 s', 'p99 s', 'not started'],
    rows,
  };
}

function sweepTable(): TextTable {
  const rows = [1000, 10_000, 100_000, 1_000_000].map((due) => {
    const sweeps = Math.ceil(due / (sweptPerSecond * sweepLimitSeconds));
    return [rounded(due), rounded(due / sweptPerSecond), sweeps];
  });
  return {
    title: `Sweeping tasks that are due: 20 at a time, 30 ms each, at most ${sweepLimitSeconds} s per sweep`,
    columns: ['due', 'seconds', 'sweeps'],
    rows,
  };
}

function conflictsTable(): TextTable {
  const windows = [5, 15];
  const row = (name: string, window: number, result: Conflicts): string[] => {
    const { transactions, conflicted, failed, delays } = result;
    return [
      name,
      String(window),
      percent(conflicted / transactions),
      percent(failed / transactions),
      percentile(delays, 0.5).toFixed(0),
      percentile(delays, 0.99).toFixed(0),
    ];
  };
  const steady = [1.3, 5, 20].flatMap((rate) =>
    windows.map((window) => row(`${rate} per second`, window, steadyConflicts(rate, window, 3000))),
  );
  const bursts = [5, 10, 20, 40].flatMap((size) =>
    windows.map((window) => row(`${size} at once`, window, burstConflicts(size, window, 1000))),
  );
  return {
    title: `Transactions of one account, each holding its item for a time; ${conflictRetries} retries, pauses up to ${longestPauseMs} ms`,
    columns: ['transactions', 'held ms', 'conflict', 'failed', 'p50 ms', 'p99 ms'],
    rows: [...steady, ...bursts],
  };
}

const policies: readonly Policy[] = ['one queue', 'fair queue', 'bounded'];

function webhooksTable(): TextTable {
  const load: Load = { responsive: 180, silentAccounts: 32, silentEach: 0.625, seconds: 300 };
  const silent = load.silentAccounts * load.silentEach;
  const rows = [queues.webhooks.concurrency, 400, 1000].flatMap((workers) =>
    policies.map((policy) => {
      const { waits, backlog } = simulateWebhooks(load, workers, policy);
      const wait = (share: number): string => percentile(waits, share).toFixed(1);
      return [workers, policy, wait(0.5), wait(0.95), wait(0.99), rounded(backlog)];
    }),
  );
  return {
    title: `Webhooks of a cell, ${load.seconds} s: per second ${load.responsive} to responsive receivers, ${silent} to silent ones`,
    columns: ['workers', 'policy', 'p50 wait s', 'p95 wait s', 'p99 wait s', 'still queued'],
    rows,
  };
}

/** One account creates and cancels 300 tasks within a second, and continues slowly. */
export const cancelAttack: Load = {
  responsive: 20,
  silentAccounts: 1,
  silentEach: 0.1,
  silentAtOnce: 300,
  seconds: 300,
};

function attackTable(): TextTable {
  const rows = [1, 5].flatMap((silentAccounts) =>
    policies.map((policy) => {
      const { waits } = simulateWebhooks({ ...cancelAttack, silentAccounts }, queues.webhooks.concurrency, policy);
      const wait = (share: number): string => percentile(waits, share).toFixed(2);
      return [silentAccounts, policy, wait(0.5), wait(0.95), wait(0.99)];
    }),
  );
  const { responsive, seconds, silentAtOnce } = cancelAttack;
  return {
    title: `${silentAtOnce} create-and-cancel pairs per account with a silent receiver; ${responsive} webhooks per second of others, ${seconds} s`,
    columns: ['attackers', 'policy', 'p50 wait s', 'p95 wait s', 'p99 wait s'],
    rows,
  };
}

/** The tables in the order of the page. */
export const report = (): readonly string[] =>
  [
    limitsTable('An engine that calls back after 30 s, ten client polls, a webhook', callingBack, 22),
    limitsTable(
      'An engine that must be polled, 60 s, ten client polls, a webhook: the limits reached first',
      polled,
      9,
    ),
    startsTable(),
    conflictsTable(),
    attackTable(),
    webhooksTable(),
    sweepTable(),
    cellsTable(),
    inboxUsesTable(),
    inboxPagesTable(),
  ].map(textTable);
