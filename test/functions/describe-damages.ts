/** Lists that contain a damaged row, in a service that reports the rows that its lists omit. */
import { beforeEach, expect, test } from 'vitest';
import { stores } from '../../shared/domain/stores.ts';
import type { Item, Key, LeftOutRow } from '../../shared/platform/dynamo-table.ts';
import { eventually } from '../support/eventually.ts';
import { giveSession } from '../support/given-session.ts';
import { type ListId, type ListScene, listRecipes, rowsOf } from '../support/listed-rows.ts';
import { serviceInTests } from '../support/test-service.ts';

export interface DamagedLists {
  readonly scene: () => ListScene;
  /** Overwrites attributes of a row. */
  readonly write: (key: Key, attributes: Item) => Promise<unknown>;
}

/**
 * Starts the service, and tests each list with some of the damages that its recipe has. Other tests may use the
 * account of the running test.
 */
export async function describeDamages(chosen: (damages: readonly Item[]) => readonly Item[]): Promise<DamagedLists> {
  let scene: ListScene;
  let leftOut: LeftOutRow[];
  const host = await serviceInTests();
  beforeEach(async () => {
    leftOut = [];
    const { context } = host.service;
    const table = { ...context.table, leftOut: (row: LeftOutRow) => void leftOut.push(row) };
    host.service.bind({ ...context, ...stores(table, context.clock, context.settings), table });
    host.engine.play({});
    const account = await host.account({ planId: 'business' });
    scene = { host, account, cookie: (await giveSession(context, account.accountId)).cookie };
  });

  const write = (key: Key, attributes: Item) =>
    host.service.context.table.update({
      Key: key,
      UpdateExpression: `SET ${Object.keys(attributes)
        .map((_, at) => `#a${at} = :a${at}`)
        .join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name, at) => [`#a${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.values(attributes).map((value, at) => [`:a${at}`, value])),
    });

  const cases = Object.entries(listRecipes).flatMap(([id, { damages }]) =>
    chosen(damages).map((damage) => [id as ListId, damage] as const),
  );

  test.for(cases)('%s lists all rows except a damaged one that has %j', async ([id, damage]) => {
    const { give, isAdded } = listRecipes[id];
    const key = await give(scene);
    const before = isAdded
      ? 2
      : await eventually('both rows', async () =>
          (await rowsOf(scene, id)).length >= 2 ? (await rowsOf(scene, id)).length : undefined,
        );
    leftOut.length = 0;
    await write(key, damage);
    expect((await rowsOf(scene, id)).length).toBe(before - 1);
    expect(leftOut.length).toBeGreaterThan(0);
  });

  return { scene: () => scene, write };
}
