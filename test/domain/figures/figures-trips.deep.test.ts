/** How long the figures of a day take to be read: the longest chain of trips. */
import { afterAll, expect, test } from 'vitest';
import { catalogStore } from '../../../shared/domain/catalog/catalog-store.ts';
import { countFigures } from '../../../shared/domain/figures/figures-store.ts';
import { reportFigures } from '../../../shared/domain/figures/report-figures.ts';
import { dayAt } from '../../../shared/platform/clock.ts';
import { dynamoTable } from '../../../shared/platform/dynamo-table.ts';
import { testIds, testTime } from '../../support/test-table.ts';
import { countedService } from '../../support/trips.ts';

const host = await countedService();
afterAll(() => host.close());
const { context } = host.service;

test('the figures of a day are read from all partitions at the same time', async () => {
  const accounts = Array.from({ length: 20 }, () => testIds.next());
  for (const account of accounts) await context.table.transact(countFigures(account, testTime, { sold: 1 }));
  const table = dynamoTable(context.settings.tableName, host.counted);
  const needs = { table, catalog: catalogStore(table, context.clock, () => ['offline']) };
  let sold = 0;
  const rounds = await host.rounds(async () => {
    sold = (await reportFigures(needs, dayAt(testTime), 'account')).totals.creditsSold;
  });
  expect([sold, rounds.length]).toEqual([20, 1]);
});
