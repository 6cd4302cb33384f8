/** The rows of earlier versions become searchable. */
import { afterAll, expect, test } from 'vitest';
import { findableKindOf, handleAttributes } from '../../../shared/domain/handle-keys.ts';
import { makeFindable } from '../../../shared/domain/search/make-findable.ts';
import type { Item } from '../../../shared/platform/dynamo-table.ts';
import { scanTable } from '../../../shared/platform/table-scan.ts';
import { countedService } from '../../support/trips.ts';
import { findableWorld } from './findable-world.ts';

const host = await countedService(0);
const { context } = host.service;
const { tableName } = context.settings;
afterAll(() => host.close());

/** Removes the attributes by which a row is found, so that it is like a row of an earlier version. */
async function forget(row: Item): Promise<void> {
  const Key = { pk: String(row.pk), sk: String(row.sk) };
  if (findableKindOf(row) === 'tokenHandle') await context.table.transact([{ Delete: { Key } }]);
  else await context.table.update({ Key, UpdateExpression: `REMOVE ${handleAttributes.join(', ')}` });
}

test('rows of earlier versions become searchable, except by request ids and the last characters of tokens', async () => {
  const before = findableWorld(context.table);
  const accountId = await before.account('Beatriz');
  await before.token(accountId);
  await before.order(accountId, true);
  await before.subscription(accountId);
  await before.billingCase(accountId);
  await before.task(accountId, false);
  await before.task(accountId, true);
  await before.page(accountId, 'Loja da Beatriz', 'kept');
  const rows = await Array.fromAsync(scanTable(tableName, context.settings.aws('DYNAMODB')));
  for (const row of rows.filter((one) => one.accountId === accountId || String(one.pk).includes(accountId)))
    await forget(row);
  for (const row of rows.filter((one) => findableKindOf(one) === 'invoice')) await forget(row);
  expect(await before.find('Beatriz')).toEqual([]);

  const first = await makeFindable(context.table, scanTable(tableName, context.settings.aws('DYNAMODB')));
  expect(first.rowsChanged).toBeGreaterThanOrEqual(8);
  for (const { former, handles, id, kind } of before.expected) {
    const stored = handles.filter(({ text }) => kind !== 'token' || !/^[0-9a-f]{4,8}$/.test(text));
    const isRequest = (text: string) => kind === 'task' && /^[0-9a-f]{8}-.{4}-4/.test(text);
    for (const { text } of stored.filter((handle) => !isRequest(handle.text)))
      expect(await before.find(text), text).toContainEqual(expect.objectContaining({ kind, id, accountId }));
    for (const { text } of former) expect(await before.find(text)).toEqual([]);
  }
  const again = await makeFindable(context.table, scanTable(tableName, context.settings.aws('DYNAMODB')));
  expect(again).toMatchObject({ rowsChanged: 0 });
});
