/** Erases the copy of a page's inbox in steps. */
import type { Clock } from '../../../platform/clock.ts';
import type { Key, Table } from '../../../platform/dynamo-table.ts';
import { deleteRows, keyOf } from '../../delete-rows.ts';
import { conversationsOwner, postsOwner, unlistedPostsOwner } from '../../inbox-keys.ts';
import { walkOwned } from '../../walk-index.ts';
import { inParts, partLength } from '../synchronization/in-parts.ts';
import type { Connection } from './connection.ts';

export interface EraseNeeds {
  readonly clock: Clock;
  readonly table: Table;
}

/**
 * Erases a conversation and its messages, or a post and its comments. The conversation's or post's own row is deleted
 * last, because only that row is listed.
 */
async function eraseThread(needs: EraseNeeds, parent: Key): Promise<void> {
  const rows = needs.table.walk({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': parent.pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  let batch: Key[] = [];
  for await (const row of rows) {
    if (row.sk === parent.sk) continue;
    batch.push(keyOf(row));
    if (batch.length < partLength) continue;
    await deleteRows(needs.table, batch);
    batch = [];
  }
  await deleteRows(needs.table, [...batch, parent]);
}

/** Performs the next step of erasing; returns whether everything is erased. */
export async function eraseInbox(
  needs: EraseNeeds,
  { accountId, channel }: Pick<Connection, 'accountId' | 'channel'>,
  endsAt: number,
): Promise<boolean> {
  const { clock, table } = needs;
  for (const owner of [conversationsOwner, postsOwner, unlistedPostsOwner].map((ownerOf) => ownerOf(accountId))) {
    const listed = await Array.fromAsync(walkOwned(table, owner));
    for (const part of inParts(listed.map(keyOf))) {
      const parents = (await table.getMany(part)).filter((item) => item.channel === channel);
      for (const parent of parents) {
        if (clock.now() >= endsAt) return false;
        await eraseThread(needs, keyOf(parent));
      }
    }
  }
  return true;
}
