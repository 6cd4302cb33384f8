/** The local database reports capacity units by DynamoDB's published rules, on which all cost figures depend. */
import { afterAll, describe, expect, test } from 'vitest';
import { indexes } from '../../shared/domain/index-keys.ts';
import { primaryKey } from '../../shared/domain/keys.ts';
import { dynamoTable, type Item } from '../../shared/platform/dynamo-table.ts';
import { itemBytes } from '../support/item-bytes.ts';
import { countedService } from '../support/trips.ts';

let count = 0;

const host = await countedService(0);
const table = dynamoTable(host.service.context.settings.tableName, host.counted);
afterAll(() => host.close());

const unitsOf = async (work: () => Promise<unknown>): Promise<number> =>
  (await host.trips(work)).reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);

const newKey = () => {
  count += 1;
  return { pk: `TEST-SIZE#${String(count).padStart(4, '0')}`, sk: 'SIZE' };
};

/** Creates an item of an exact size. */
function itemOf(bytes: number): Item & ReturnType<typeof newKey> {
  const item = { ...newKey(), filler: '' };
  return { ...item, filler: 'x'.repeat(bytes - itemBytes(item)) };
}

const everyIndex: Item = Object.fromEntries(
  Object.values(indexes)
    .flatMap(({ pk, sk }): string[] => [pk, sk])
    .filter((name) => name !== primaryKey.pk)
    .map((name) => [name, 'some']),
);
const indexCount = Object.keys(indexes).length;

test.each([
  { bytes: 1024, alone: 1, inTransaction: 2 },
  { bytes: 1025, alone: 2, inTransaction: 4 },
  { bytes: 3072, alone: 3, inTransaction: 6 },
])(
  'the cost of a write of $bytes bytes, in capacity units, is $alone, one per started kilobyte, and twice that in a transaction',
  async ({ bytes, alone, inTransaction }) => {
    expect(await unitsOf(() => table.put({ Item: itemOf(bytes) }))).toBe(alone);
    expect(await unitsOf(() => table.transact([{ Put: { Item: itemOf(bytes) } }]))).toBe(inTransaction);
  },
);

test.each([
  { bytes: 4096, units: 1 },
  { bytes: 4097, units: 2 },
])(
  'the cost of a consistent read of $bytes bytes, in capacity units, is $units, one per started four kilobytes',
  async ({ bytes, units }) => {
    const item = itemOf(bytes);
    await table.put({ Item: item });
    expect(await unitsOf(() => table.get(item))).toBe(units);
  },
);

describe('the write cost of an index', () => {
  const update = (Key: ReturnType<typeof newKey>, UpdateExpression: string, values?: Item) => () =>
    table.update({ Key, UpdateExpression, ...(values && { ExpressionAttributeValues: values }) });

  test('is one unit when an item is added to it, even within a transaction', async () => {
    expect(await unitsOf(() => table.put({ Item: { ...newKey(), ...everyIndex } }))).toBe(1 + indexCount);
    expect(await unitsOf(() => table.transact([{ Put: { Item: { ...newKey(), ...everyIndex } } }]))).toBe(
      2 + indexCount,
    );
  });

  test('is two units when an item moves, one when it is removed, and none when its attributes do not change', async () => {
    const key = newKey();
    await table.put({ Item: { ...key, ...everyIndex } });
    expect(await unitsOf(update(key, 'SET openSk = :other', { ':other': 'other' }))).toBe(1 + 2);
    expect(await unitsOf(update(key, 'SET progress = :some', { ':some': 1 }))).toBe(1);
    expect(await unitsOf(update(key, 'REMOVE openPk, openSk'))).toBe(1 + 1);
  });
});
