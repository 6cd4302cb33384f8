/** A table of its own for a test file, and what is put into it. */
import { createTable } from '../../infra/local/database/create-table.ts';
import { startDatabase } from '../../infra/local/database/database.ts';
import { localAccess } from '../../infra/local/local-access.ts';
import type { Account } from '../../shared/domain/accounts/account.ts';
import { deadlineOf, type Task } from '../../shared/domain/tasks/task.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable, type Table } from '../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../shared/platform/ids.ts';

export interface TestTable {
  readonly table: Table;
  close(): Promise<void>;
}

export const testIds = randomIds(systemClock);

/** When everything in these tests happens, if nothing else is said. */
export const testTime = Date.UTC(2030, 0, 1);

/** In a database of its own, or in the one that DYNAMODB_ENDPOINT names. */
export async function testTable(): Promise<TestTable> {
  const database = await startDatabase({});
  const tableName = `test-${testIds.next()}`;
  await createTable(database.url, tableName);
  return { table: dynamoTable(tableName, localAccess(database.url)), close: () => database.close() };
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

/** A voice task that has just been made. */
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
  deadlineAt: deadlineOf('voice', testTime),
  resultsSecret: testIds.secret(16),
  ...given,
});
