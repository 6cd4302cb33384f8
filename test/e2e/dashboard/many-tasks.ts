/**
 * Lists of an account with many tasks: the number of elements and requests of a page does not depend on the number of
 * tasks.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { inTaskLists } from '../../../shared/domain/index-keys.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Item } from '../../../shared/platform/dynamo-table.ts';
import { batchWrite } from '../../support/batch-write.ts';
import { canTestPages, dashboard, newAccount, newPage, open, ownersBrowser } from './dashboard-harness.ts';

/** Set `DASHBOARD_TASKS=10000` for the long form of the test. */
const taskCount = Number(process.env.DASHBOARD_TASKS ?? 120);

const taskOf = (accountId: string, taskId: string, at: number): Task => ({
  taskId,
  accountId,
  tokenId: 'shop',
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
  results: [{ key: `results/${taskId}/1.mp3`, contentType: 'audio/mpeg', bytes: 20_000, durationSec: 2 }],
  resultsSecret: '0'.repeat(32),
});

/** The rows of an ended task and of its ledger entries. */
function itemsOf(accountId: string, taskId: string): Item[] {
  const at = Date.now();
  const {
    openPk: _shard,
    openSk: _moment,
    ...inserted
  } = insertTask(taskOf(accountId, taskId, at), at).Put?.Item ?? {};
  const ended = inTaskLists(
    accountId,
    [{}, { taskType: 'voice' as const }].map((list) => ({ ...list, state: 'completed' })),
  );
  const row = { id: taskId, accountId, amount: -1, reason: 'generation', at, taskType: 'voice', taskId } as const;
  return [{ ...inserted, ...ended }, appendLedgerRow({ ...row, tokenId: 'shop' }).Put?.Item ?? {}];
}

const elements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length');

const shownTasks = (page: Page): Promise<string[]> =>
  page.locator('article a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

describe.runIf(canTestPages)(`the dashboard of an account with ${taskCount} tasks`, () => {
  let accountId: string;
  let ids: string[];

  beforeAll(async () => {
    const { database, service } = dashboard();
    accountId = await newAccount('Iara', taskCount);
    ids = Array.from({ length: taskCount }, () => service.context.ids.next()).toReversed();
    const items = ids.flatMap((taskId) => itemsOf(accountId, taskId));
    await batchWrite(database.endpoint, database.tableName, items);
  });

  test('lists all of them, page by page, without gaps or repetitions, and no page is longer than the first', async () => {
    const opened = await ownersBrowser({}, { accountId });
    const { page } = await newPage(opened);
    const asked = new Set<string>();
    page.on('request', (request) => request.url().includes('/account/api/') && asked.add(request.url()));
    await open(page, 'tasks');
    await page.getByRole('article').first().waitFor();
    const first = await elements(page);
    expect(first).toBeLessThan(1500);
    const shown = await shownTasks(page);
    for (let count = 1; count < 4; count += 1) {
      // Uses the keyboard: after a change of pages the view is still scrolling to the top, and a click may miss.
      await page.getByRole('link', { name: 'Older' }).press('Enter');
      await page.locator(`a[href$="${ids[shown.length]}"]`).waitFor();
      shown.push(...(await shownTasks(page)));
      expect(await elements(page)).toBeLessThan(first + 20);
    }
    expect(shown.map((link) => link.split('/').at(-1))).toEqual(ids.slice(0, shown.length));
    expect(shown.length).toBe(96);
    // The requests for the session, the balance, and each page of tasks, without repetitions.
    expect([...asked].map((url) => new URL(url).pathname).toSorted()).toEqual([
      '/account/api/credits',
      '/account/api/session',
      ...Array.from({ length: 4 }, () => '/account/api/tasks'),
    ]);
    await opened.close();
  });

  test('shows twenty of them within 3,000 pixels on a phone, each with its label, price, age and status', async () => {
    const opened = await ownersBrowser({ screen: 'phone' }, { accountId });
    const { page } = await newPage(opened);
    await open(page, 'tasks');
    const twentieth = page.getByRole('article').nth(19);
    await twentieth.waitFor();
    const { y, height } = (await twentieth.boundingBox()) ?? { y: Infinity, height: 0 };
    expect(y + height).toBeLessThan(3000);
    for (const shown of ['Uma frase curta', '1 credit', 'now', 'Completed'])
      expect(await twentieth.textContent()).toContain(shown);
    await opened.close();
  });

  test.for(['', 'billing'])('has fewer than 1,500 elements on the page /%s', async (path) => {
    const opened = await ownersBrowser({ screen: 'phone' }, { accountId });
    const { page } = await newPage(opened);
    await open(page, path);
    await page.getByText(/^(Credit history|Recent failures)$/).waitFor();
    expect(await elements(page)).toBeLessThan(1500);
    await opened.close();
  });
});
