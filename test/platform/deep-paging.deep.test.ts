/** The cost of the last page of a long history, and that paging neither repeats nor skips anything. */
import { afterAll, expect, test } from 'vitest';
import { type TaskType, taskTypes } from '../../shared/contracts/task-types.ts';
import { appendLedgerRow } from '../../shared/domain/accounts/ledger-store.ts';
import { inTaskLists } from '../../shared/domain/index-keys.ts';
import { insertProduct, type Product } from '../../shared/domain/studio/product-store.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import { insertTask } from '../../shared/domain/tasks/task-item.ts';
import type { Item } from '../../shared/platform/dynamo-table.ts';
import { batchWrite } from '../support/batch-write.ts';
import { itemBytes } from '../support/item-bytes.ts';
import { countedService } from '../support/trips.ts';

/** The number of stored rows, which exceeds the number of rows that are read. */
const rowCount = 10_200;
const offsets = [0, 5000, 9900, 10_000];
const limit = 100;

/** The longest reference, with four bytes per character: no reference makes an index entry larger. */
const longestReference = '\u{1F600}'.repeat(128);
const reference = encodeURIComponent(longestReference);

const taskOf = (taskId: string, at: number): Task => ({
  taskId,
  accountId: account.accountId,
  tokenId: account.tokenId,
  taskType: 'voice',
  status: 'completed',
  progress: 100,
  cost: 1,
  input: { text: 'Uma frase curta, como as há aos milhares.', voice: 'sarah', stability: 0.5, similarityBoost: 0.75 },
  engine: 'offline',
  route: 'offline/voice',
  createdAt: at,
  deadlineAt: at,
  startedAt: at,
  endedAt: at,
  clientReference: longestReference,
  results: [{ key: 'results/1.mp3', contentType: 'audio/mpeg', bytes: 21_872, durationSec: 2.7 }],
  resultsSecret: '0'.repeat(32),
});

function ledgerItemOf(taskId: string, at: number, taskType: TaskType = 'voice'): Item {
  const { accountId, tokenId } = account;
  const row = { id: taskId, accountId, amount: -1, reason: 'generation', at, taskType, taskId, tokenId } as const;
  return appendLedgerRow(row).Put?.Item ?? {};
}

/** The two rows of an ended task, which is in no index of open tasks. */
function itemsOf(taskId: string): Item[] {
  const at = host.clock.now();
  const { openPk: _shard, openSk: _moment, ...inserted } = insertTask(taskOf(taskId, at), at).Put?.Item ?? {};
  const { accountId } = account;
  const { taskType, clientReference } = taskOf(taskId, at);
  const narrowings = [{}, { taskType }, { clientReference }, { taskType, clientReference }];
  const ended = inTaskLists(
    accountId,
    narrowings.map((list) => ({ ...list, state: 'completed' })),
  );
  const task = { ...inserted, ...ended };
  return [task, ledgerItemOf(taskId, at)];
}

/** Products are only created for pages that are read; those of the last page have the largest possible size. */
function productItemsOf(productId: string, index: number): Item[] {
  const isRead = offsets.some((offset) => index >= offset && index < offset + limit);
  const isLargest = index >= 10_000;
  const url = `https://example.com/${'a'.repeat(isLargest ? 2028 : 1)}`;
  const product: Product = {
    accountId: account.accountId,
    productId,
    title: 'Caneca',
    description: isLargest ? '\u{1F600}'.repeat(5000) : 'Uma caneca.',
    images: Array.from({ length: 6 }, () => ({ url, role: 'frente' })),
    createdAt: host.clock.now(),
  };
  const [whole, listed] = insertProduct(product).map((action) => action.Put?.Item ?? {});
  return [...(isRead && whole ? [whole] : []), ...(listed ? [listed] : [])];
}

const host = await countedService(0);
const account = await host.account({ credits: 0 });
const { context, environment } = host.service;
/** The ids of tasks and of their ledger rows, newest first. */
const ids = Array.from({ length: rowCount }, () => context.ids.next()).toSorted((one, other) => (one < other ? 1 : -1));
const items = [...ids.flatMap(itemsOf), ...ids.flatMap(productItemsOf)];
await batchWrite(environment.AWS_ENDPOINT_URL_DYNAMODB ?? '', context.settings.tableName, items);
afterAll(() => host.close());

interface Page {
  readonly ids: readonly string[];
  /** The number of requests to DynamoDB. */
  readonly queries: number;
}

type List = 'listTasks' | 'listCreditHistory' | 'listStudioProducts';

async function pageOf(operationId: List, query: string, offset: number): Promise<Page> {
  let found: { tasks?: { id: string }[]; history?: { id: string }[]; products?: { id: string }[] } = {};
  const trips = await host.trips(async () => {
    const response = await host.call(operationId, {
      token: account.token,
      query: `${query}limit=${limit}&offset=${offset}`,
    });
    expect(response.status).toBe(200);
    found = response.body.data as typeof found;
  });
  return {
    ids: (found.tasks ?? found.history ?? found.products ?? []).map(({ id }) => id),
    queries: trips.filter(({ operation }) => operation === 'Query').length,
  };
}

test.each([
  ...['', 'status=completed&'].flatMap((status) =>
    ['', 'taskType=voice&', `clientReference=${reference}&`, `taskType=voice&clientReference=${reference}&`].map(
      (narrowing) => ({ operationId: 'listTasks', query: `${status}${narrowing}` }) as const,
    ),
  ),
  { operationId: 'listCreditHistory', query: '' },
  { operationId: 'listStudioProducts', query: '' },
] as const)('$operationId finds any page with at most three database queries (query: “$query”)', async (list) => {
  for (const offset of offsets) {
    const page = await pageOf(list.operationId, list.query, offset);
    expect(page.ids).toEqual(ids.slice(offset, offset + limit));
    expect(page.queries).toBeLessThanOrEqual(3);
  }
});

test('ten thousand ledger rows of any task type can be read in two database pages of a megabyte', () => {
  const sizes = taskTypes.map((taskType) => itemBytes(ledgerItemOf(ids[0] ?? '', host.clock.now(), taskType)));
  expect(Math.max(...sizes) * 10_000).toBeLessThanOrEqual(2 * 1024 * 1024);
});
