/** The cost of the operators' search when there are many rows. */
import { afterAll, expect, test } from 'vitest';
import { openingActions } from '../../../shared/domain/accounts/account-store.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { findAnything } from '../../../shared/domain/search/find-anything.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { isWellFormedToken, tokenDigest } from '../../../shared/domain/tokens/token.ts';
import { insertTokenHandle } from '../../../shared/domain/tokens/token-handle.ts';
import { dynamoTable, type Item } from '../../../shared/platform/dynamo-table.ts';
import { batchWrite } from '../../support/batch-write.ts';
import { anAccount, aTask, testIds, testTime } from '../../support/test-table.ts';
import { countedService } from '../../support/trips.ts';
import { findableWorld } from './findable-world.ts';

const host = await countedService(0);
const { context, environment } = host.service;
const { tableName } = context.settings;
afterAll(() => host.close());

const table = dynamoTable(tableName, host.counted);
const clock = { now: () => testTime };

const email = 'ana@example.com';
const digits = testIds.secret(32);
/** More than three requests for a hundred rows each return. */
const rowCount = 500;

/** Rows that all have the same handles: far more than fit on a page of a search. */
const crowd = Array.from({ length: rowCount }, (): Item[] => {
  const task = aTask({ clientReference: email });
  const [account] = openingActions(
    anAccount({ name: `Ana ${testIds.secret(4)}`, email: `${testIds.next()}@x.org` }),
    undefined,
  );
  const handle = insertTokenHandle('no digest', { tokenId: testIds.next(), accountId: 'none' }, digits);
  return [account, insertTask(task, testTime, digits), handle].map((action) => action?.Put?.Item ?? {});
}).flat();

const world = findableWorld(context.table);
const owner = await world.account('Ana');

/** The last characters of a token, of which the last 4 are the same as those of all other tokens here. */
const alike = `abc${digits.at(-5) === '0' ? '1' : '0'}${digits.slice(-4)}`;
await world.token(owner);
const sought = world.expected.findLast(({ kind }) => kind === 'token');
const soughtDigest = tokenDigest(sought?.handles.find(({ text }) => isWellFormedToken(text))?.text ?? '');
const otherHandle = { tokenId: '0'.repeat(36), accountId: owner };
await table.transact([insertTokenHandle(soughtDigest, otherHandle, alike)]);
await batchWrite(environment.AWS_ENDPOINT_URL_DYNAMODB ?? '', tableName, crowd);

test.each([
  ['an e-mail address that many tasks have as their reference', email],
  ['the beginning of many names', 'ANA'],
  ['the last 4 characters of many tokens', digits.slice(-4)],
  ['the last 6 characters of many tokens', digits.slice(-6)],
  ['the last 8 characters of many tokens', digits.slice(-8)],
  ['the request of many tasks', digits],
  ['an id', owner],
  ['the URL of a result', `https://example.com/results/${testIds.next()}-0/0.mp3`],
  ['a number', '12345678901234567'],
  ['a text that nothing has', 'there is no such thing'],
])('a search for %s reads at most three pages of indexes and a bounded number of rows', async (_, text) => {
  const trips = await host.trips(() => findAnything({ table, clock }, text));
  const count = (operation: string) => trips.filter((trip) => trip.operation === operation).length;
  expect(count('Query')).toBeLessThanOrEqual(3);
  expect(count('BatchGetItem')).toBeLessThanOrEqual(3);
  expect(count('Query') + count('BatchGetItem')).toBe(trips.length);
});

test('a search with many matches returns the newest and says that there are more', async () => {
  const { found, hasMore } = await findAnything({ table, clock }, digits);
  const newest = crowd.filter((row) => row.sk === 'TASK').map(({ pk }) => String(pk).slice('TASK#'.length));
  expect(found.map(({ id }) => id)).toEqual(newest.toSorted().toReversed().slice(0, 20));
  expect(hasMore).toBe(true);
});

test('an account is found by its e-mail address, however many tasks have that address as their reference', async () => {
  const accountId = testIds.next();
  await context.accounts.insert(anAccount({ accountId, email, name: 'Zoe' }), undefined);
  const { found } = await findAnything({ table, clock }, email);
  expect(found).toContainEqual(expect.objectContaining({ kind: 'account', id: accountId, email, name: 'Zoe' }));
});

test('a lookup of a test token’s task also finds the name of its account’s owner', async () => {
  const task = aTask({ accountId: `test-${owner}` });
  await context.table.transact([insertTask(task, testTime)]);
  const { found } = await findAnything({ table, clock }, task.taskId);
  expect(found).toMatchObject([{ kind: 'task', accountId: `test-${owner}`, name: 'Ana' }]);
});

test('a lookup through an outdated index entry finds nothing', async () => {
  const stale = { ...context.table, list: async () => [{ ...accountKey(owner) }] };
  const found = async (text: string) => (await findAnything({ table: stale, clock }, text)).found;
  expect(await found('ana')).toMatchObject([{ kind: 'account', id: owner }]);
  expect(await found('Beatriz')).toEqual([]);
});

test.each([5, 6, 7])(
  'a token is found by its last %i characters, however many tokens have the same last 4',
  async (count) => {
    const { found } = await findAnything({ table, clock }, alike.slice(-count));
    expect(found).toContainEqual(expect.objectContaining({ kind: 'token', id: sought?.id }));
  },
);

test('a token is not found by six characters of which only the last four match', async () => {
  await world.token(owner);
  const { handles = [], id } = world.expected.findLast(({ kind }) => kind === 'token') ?? {};
  const ending = handles.find(({ text }) => text.length === 6)?.text ?? '';
  const other = `${ending.startsWith('0') ? '1' : '0'}${ending.slice(1)}`;
  expect(await world.find(ending)).toContainEqual(expect.objectContaining({ id }));
  expect(await world.find(other)).not.toContainEqual(expect.objectContaining({ id }));
});
