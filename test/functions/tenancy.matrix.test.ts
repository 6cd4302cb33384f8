/** To each account, the resources of other accounts do not exist: operations that change something. */
import { expect, test } from 'vitest';
import { idPlaces, ofNoAccount } from '../support/id-places.ts';
import { specification } from '../support/specification-table.ts';
import { describeTenancy } from './describe-tenancy.ts';

test('the tenancy tests cover every path parameter and every filter by ids', () => {
  const inPaths = Object.entries(specification).flatMap(([id, { path }]) =>
    [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (ofNoAccount.has(name) ? [] : `${id} params ${name}`)),
  );
  const places = idPlaces.map(({ operationId, part, name }) => `${operationId} ${part} ${name}`);
  expect(places).toEqual(expect.arrayContaining([...inPaths, 'listTasks query ids']));
});

await describeTenancy(['another account’s resource'], ['POST', 'PUT', 'PATCH', 'DELETE']);
