/** A page of a list on which no row can be read or shown is skipped, and says how far the list was read. */
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ListId, listContracts, listRecipes, pageOf, rowsOf } from '../support/listed-rows.ts';
import { describeDamages } from './describe-damages.ts';

const { scene, write } = await describeDamages((damages) => damages.slice(0, 1));

const paged = Object.keys(listRecipes).filter((id) => 'offset' in (listContracts[id]?.query?.shape ?? {})) as ListId[];

test.for(paged)('%s skips a page on which all rows are damaged, and returns the next page', async (id) => {
  const key = await listRecipes[id].give(scene());
  const [damage = {}] = listRecipes[id].damages;
  const isListed = async () => ((await rowsOf(scene(), id)).length >= 2 ? true : undefined);
  await eventually('both rows', isListed);
  await write(key, damage);
  const pages = await Promise.all([0, 1, 2].map((offset) => pageOf(scene(), id, `limit=1&offset=${offset}`)));
  // Whichever of the two rows is damaged, the other one is on both pages, or only on the first.
  const [first, second, third] = pages.map(({ rows, offset }) => [rows.length, offset]);
  expect([first, third]).toEqual([
    [1, expect.any(Number)],
    [0, 2],
  ]);
  expect([
    [0, 2],
    [1, 1],
  ]).toContainEqual(second);
  expect(first?.[1]).toBe(second?.[0] === 1 ? 1 : 0);
});

test('a page on which all rows are damaged still states how far the list was read', async () => {
  const key = await listRecipes.listCreditHistory.give(scene());
  const { table } = scene().host.service.context;
  const item = (await table.get(key)) ?? {};
  const later = (number: number) => ({ ...item, sk: `${String(item.sk)}-${number}`, reason: 'theft' });
  await Promise.all(Array.from({ length: 7 }, (_, number) => table.put({ Item: later(number) })));
  const [first, next] = [
    await pageOf(scene(), 'listCreditHistory', 'limit=1'),
    await pageOf(scene(), 'listCreditHistory', 'limit=1&offset=5'),
  ];
  expect([first.rows.length, first.offset]).toEqual([0, 4]);
  expect([next.rows.length, next.offset]).toEqual([1, 7]);
});

test('every operation that lists rows declares which field of its response contains them', () => {
  /** Lists that are not stored by row: the catalog, one entry for each social network, and what the rows of one task say. */
  const others = ['listPlans', 'listConnections', 'listTaskEvents', 'listVoices'];
  const undeclared = Object.values(listContracts)
    .filter(({ operationId, success }) => operationId.startsWith('list') && success.rows === undefined)
    .map(({ operationId }) => operationId);
  expect(undeclared.filter((id) => !others.includes(id))).toEqual([]);
});
