/** Removes conversations and posts that a network no longer has from the copy of a page's inbox. */
import type { Clock } from '../../platform/clock.ts';
import { ConditionFailed, type Key, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import {
  conversationKey,
  conversationsOwner,
  inboxIdIn,
  placedIdIn,
  postKey,
  postsOwner,
  unlistedPostsOwner,
} from '../inbox-keys.ts';
import { indexes } from '../keys.ts';
import { removeComment } from './apply-comments.ts';
import { removeMessage } from './apply-messages.ts';
import type { Connection, SyncRun } from './connection.ts';
import type { OwnedPage } from './conversation.ts';
import { conversationStore } from './conversation-store.ts';
import { inParts } from './in-parts.ts';
import { placesOf } from './places.ts';
import { postStore } from './post-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly table: Table;
}

/** What changed after this time may have been listed by the network later than it was read. */
const settledBefore = ({ startedAt }: SyncRun): number => startedAt - 15 * 60_000;

async function idsOf(table: Table, owner: string): Promise<string[]> {
  const query = {
    IndexName: 'byOwner',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
    ExpressionAttributeValues: { ':pk': owner },
  };
  return (await Array.fromAsync(table.walk(query))).map(inboxIdIn);
}

const placedIds = async (table: Table, { pk }: Key): Promise<string[]> =>
  (await Array.fromAsync(table.walk(placesOf(pk)))).map(placedIdIn);

/** Deletes the row of an empty conversation or post, unless it has changed since it had this version. */
async function deleteRow(table: Table, { pk, sk }: Key, version: number): Promise<void> {
  const condition = { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
  try {
    await table.transact([{ Delete: { Key: { pk, sk }, ...condition } }]);
  } catch (error) {
    if (!(error instanceof TransactionCanceled || error instanceof ConditionFailed)) throw error;
  }
}

const isOf = (one: OwnedPage, other: OwnedPage): boolean =>
  one.channel === other.channel && one.pageId === other.pageId;

export async function pruneConversations(
  needs: Needs,
  connection: Connection,
  run: SyncRun,
  since: number,
): Promise<void> {
  const { table } = needs;
  const { accountId } = connection;
  const store = conversationStore(table);
  const storedBefore = settledBefore(run);
  for (const id of await idsOf(table, conversationsOwner(accountId))) {
    if (run.listed.includes(id)) continue;
    const found = await store.find(accountId, id);
    if (!found || !isOf(found, connection) || found.updatedAt < since || found.updatedAt >= storedBefore) continue;
    const key = conversationKey(accountId, id);
    const { id: participantId } = found.participant;
    for (const part of inParts(await placedIds(table, key)))
      for (const { networkId } of await store.messages(accountId, id, part))
        await removeMessage(needs, connection, { participantId, messageId: networkId }, { storedBefore });
    const left = await store.find(accountId, id);
    if (left?.lastMessage === null) await deleteRow(table, key, left.version);
  }
}

export async function prunePosts(needs: Needs, connection: Connection, run: SyncRun): Promise<void> {
  const { table } = needs;
  const { accountId } = connection;
  const store = postStore(table);
  const storedBefore = settledBefore(run);
  const owners = [postsOwner(accountId), unlistedPostsOwner(accountId)];
  const ids = (await Promise.all(owners.map((owner) => idsOf(table, owner)))).flat();
  for (const id of ids.filter((one) => !run.listed.includes(one))) {
    const found = await store.find(accountId, id);
    if (!found || !isOf(found, connection) || (found.lastCommentAt ?? 0) >= storedBefore) continue;
    const key = postKey(accountId, id);
    for (const part of inParts(await placedIds(table, key)))
      for (const { networkId } of await store.comments(accountId, id, part))
        await removeComment(needs, connection, { postId: found.networkId, commentId: networkId }, { storedBefore });
    const left = await store.find(accountId, id);
    if (left?.commentCount === 0) await deleteRow(table, key, left.version);
  }
}
