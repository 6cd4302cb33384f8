/** Walks over whole lists in the indexes. Their items have only keys. */
import type { Item, Table } from '../platform/dynamo-table.ts';
import { indexes } from './index-keys.ts';

/** What an owner has, by id. */
export const walkOwned = (table: Pick<Table, 'walk'>, owner: string): AsyncGenerator<Item> =>
  table.walk({
    IndexName: 'byOwner',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
    ExpressionAttributeValues: { ':pk': owner },
  });

/** What is due in a list of the index `open` until a time, as `checkTime` writes it; the longest overdue first. */
export const walkDue = (table: Pick<Table, 'walk'>, list: string, until: string): AsyncGenerator<Item> =>
  table.walk({
    IndexName: 'open',
    KeyConditionExpression: '#pk = :pk AND #sk <= :until',
    ExpressionAttributeNames: { '#pk': indexes.open.pk, '#sk': indexes.open.sk },
    ExpressionAttributeValues: { ':pk': list, ':until': until },
  });
