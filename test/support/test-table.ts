/** A separate table for a test file, and items for it. */

import { afterAll } from 'vitest';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startDatabase } from '../../infra/local/database/database.ts';
import { localAccess } from '../../infra/local/local-access.ts';
import { generationOf } from '../../shared/contracts/generate.ts';
import type { Account } from '../../shared/domain/accounts/account.ts';
import { deadlineOf, type Task } from '../../shared/domain/tasks/task.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable, type Table } from '../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { requireRegistered } from './registered-rows.ts';
import { itemsIn } from './stored-items.ts';
import { testAccess } from './test-access.ts';

export interface TestTable {
  readonly table: Table;
  close(): Promise<void>;
}

export const testIds = randomIds(systemClock);

/** The default time in these tests. */
export const testTime = Date.UTC(2030, 0, 1);

/** Creates the table in a separate database, or in the one at DYNAMODB_ENDPOINT. */
export async function testTable(): Promise<TestTable> {
  const database = await startDatabase({});
  const tableName = `test-${testIds.next()}`;
  await createTable(database.url, tableName);
  return {
    table: dynamoTable(tableName, testAccess(localAccess(database.url))),
    async close() {
      const rows = await itemsIn({ endpoint: database.url, tableName });
      await database.close();
      requireRegistered(rows.values());
    },
  };
}

/** A table for the tests of a file, closed after them. */
export async function tableInTests(): Promise<TestTable> {
  const host = await testTable();
  afterAll(() => host.close());
  return host;
}

export const anAccount = (given: Partial<Account> = {}): Account => ({
  accountId: testIds.next(),
  email: 'ana@example.com',
  name: 'Ana',
  balance: 100,
  openTasks: [],
  features: [],
  createdAt: testTime,
  ...given,
});

/** A new voice task. */
export const aTask = (given: Partial<Task> = {}): Task => ({
  taskId: testIds.next(),
  accountId: testIds.next(),
  tokenId: testIds.next(),
  taskType: 'voice',
  status: 'pending',
  progress: 0,
  cost: 3,
  input: { text: 'Uma frase.', voice: 'sarah' },
  engine: 'offline',
  route: 'offline/voice',
  createdAt: testTime,
  deadlineAt: deadlineOf(generationOf('voice'), testTime),
  resultsSecret: testIds.secret(16),
  ...given,
});
