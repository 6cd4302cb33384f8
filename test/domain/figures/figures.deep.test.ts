/**
 * A day with tasks of many kinds: its figures equal those that were counted by hand, and the audit finds an error in
 * each of the sources.
 */
import { beforeAll, expect, test } from 'vitest';
import { auditFigures } from '../../../shared/domain/accounts/audit-figures.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { mainJob, rankingJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { reportFigures } from '../../../shared/domain/figures/report-figures.ts';
import { figuresKey } from '../../../shared/domain/figures-keys.ts';
import { dayCountsKey, jobKey } from '../../../shared/domain/keys.ts';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import { anAccount, testTime } from '../../support/test-table.ts';
import {
  accounts,
  type Case,
  cases,
  creditMicros,
  day,
  describedMicros,
  ids,
  liveThroughTheDay,
  needs,
  opening,
  store,
  table,
  times,
} from './mixed-day.ts';

beforeAll(liveThroughTheDay, 300_000);

const audits = () => Promise.all(accounts.map(({ accountId }) => auditFigures(needs, accountId, day)));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The expected figures of an engine, counted by hand. */
function byHand(engine: string) {
  const own = cases.filter(({ task }) => task.engine === engine);
  const failures = own.flatMap(({ end }) => (end.status === 'failed' ? [end.code] : []));
  const creditsOf = (all: readonly Case[]) => sum(all.map(({ task }) => task.cost ?? 3)) * times;
  const credits = creditsOf(own.filter(({ end }) => end.status === 'completed'));
  const texts = engine === 'fal' || engine === 'bedrock' ? describedMicros[engine] : 0;
  const others = sum(cases.map(({ others: at = {} }) => at[engine] ?? 0));
  const costMicros = (sum(own.map(({ micros }) => micros)) + others + texts) * times;
  return {
    name: engine,
    tasks: own.length * times,
    failed: failures.length * times,
    failures: Object.fromEntries(
      [...Map.groupBy(failures, (code) => code)].map(([code, all]) => [code, all.length * times]),
    ),
    credits,
    refunded: creditsOf(own) - credits,
    costMicros,
    worthMicros: credits * creditMicros,
    marginMicros: credits * creditMicros - costMicros,
  };
}

test('the daily figures of over 500 mixed tasks with failures, cancellations, retries, repeated reports and texts of language models match a manual count', async () => {
  const { rows, totals } = await reportFigures(store, day, 'engine');
  expect(rows).toEqual(['bedrock', 'clips', 'elevenlabs', 'fal'].map(byHand));
  expect(sum(rows.map(({ tasks }) => tasks))).toBe(520);
  const balances = await Promise.all(accounts.map(({ accountId }) => store.accounts.find(accountId)));
  expect(totals).toMatchObject({
    creditsGiven: accounts.length * opening,
    unusedChange: sum(balances.map((account) => account?.balance ?? 0)),
    engineCostMicros: Object.fromEntries(
      rows.flatMap(({ name, costMicros }) => (costMicros > 0 ? [[name, costMicros]] : [])),
    ),
  });
  const { rows: perAccount } = await reportFigures(store, day, 'account');
  expect(perAccount.map(({ name }) => name)).toEqual(accounts.map(({ accountId }) => accountId).toSorted());
  const { rows: perOperation } = await reportFigures(store, day, 'operation');
  expect(perOperation.map(({ name, costMicros }) => [name, costMicros])).toEqual([
    ['createStudioProduct', (1500 + 54) * times],
    ['generateCortes', (3 * 60 * 133 + 2000 + 2000 + 3 * 500 + 18) * times],
    ['generateImage', (160_000 * 4 + 320_000) * times],
    ['generateVoice', 3700 * times],
  ]);
});

/** Deletes the latest tasks of an account: those of two rounds. */
async function deleteTasks(accountId: string): Promise<void> {
  for (const taskId of await store.tasks.ids(accountId, {}, { limit: 2 * cases.length, offset: 0 })) {
    const task = await store.tasks.find(taskId);
    if (!task) throw new Error('the task is not found');
    expect(await store.deletedTasks.replace(task, remainsOf(task, testTime))).toBe(true);
    await store.engineJobs.erase(taskId, testTime);
  }
}

test('the audit accepts correct daily figures, even of deleted tasks, and finds each error planted in figures or ledger', async () => {
  const [{ accountId } = anAccount(), other = anAccount(), third = anAccount(), fourth = anAccount()] = accounts;
  await deleteTasks(fourth.accountId);
  expect(await audits()).toEqual(accounts.map(() => []));
  const add = (key: { readonly pk: string; readonly sk: string }, name: string, amount: number) =>
    table.update({
      Key: key,
      UpdateExpression: 'ADD #name :amount',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':amount': amount },
    });
  await add(figuresKey(accountId, day), 'cost image fal', 1);
  await add(figuresKey(fourth.accountId, day), 'cost image fal', 1);
  await add(figuresKey(fourth.accountId, day), 'tasks voice elevenlabs', 1);
  await add(figuresKey(accountId, day), 'cost createStudioProduct fal', 1);
  await add(dayCountsKey(third.accountId, day), 'textMicros', 2);
  const [latest = ''] = await store.tasks.ids(other.accountId, { taskType: 'image' }, { limit: 1, offset: 0 });
  await add(jobKey(latest, mainJob), 'costMicros', 5);
  const [cut = ''] = await store.tasks.ids(other.accountId, { taskType: 'cortes' }, { limit: 1, offset: 0 });
  await add(jobKey(cut, rankingJob), 'costMicros', 3);
  const stray = { id: ids.next(), accountId: third.accountId, amount: 9, reason: 'bonus', at: testTime } as const;
  await table.transact([appendLedgerRow(stray)]);
  const found = (await audits())
    .flat()
    .map(({ accountId: of, figure, counted, recounted }) => [of, figure, recounted - counted]);
  expect(found).toEqual([
    [accountId, 'cost createStudioProduct', -1],
    [accountId, 'cost image fal', -1],
    [other.accountId, 'cost cortes bedrock', 3],
    [other.accountId, 'cost image fal', 5],
    [third.accountId, 'cost createStudioProduct', 2],
    [third.accountId, 'given', 9],
    // For deleted tasks, only the sum of the costs at all engines is known.
    [fourth.accountId, 'cost image', -1],
    [fourth.accountId, 'tasks voice elevenlabs', -1],
  ]);
});
