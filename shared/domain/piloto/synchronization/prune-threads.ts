/**
 * Removes stored conversations and posts that the social network no longer has. Social networks hide some entries from
 * their lists, so each missing entry is requested individually before it is removed.
 */
import { ConditionFailed, type Key, type Table, TransactionCanceled } from '../../../platform/dynamo-table.ts';
import {
  conversationKey,
  conversationsOwner,
  inboxIdIn,
  placedIdIn,
  postKey,
  postsOwner,
  unlistedPostsOwner,
} from '../../inbox-keys.ts';
import { walkOwned } from '../../walk-index.ts';
import { postStore } from '../comments/post-store.ts';
import type { Conversation, OwnedPage } from '../conversations/conversation.ts';
import { conversationStore } from '../conversations/conversation-store.ts';
import type { SyncRun } from '../pages/connection.ts';
import {
  type CopyInboxNeeds,
  isPermanentFault,
  partialFaults,
  type SyncPart,
  unlessPartialFault,
} from './copy-listed.ts';
import { copyThread, type Thread } from './copy-thread.ts';
import { inParts } from './in-parts.ts';
import { placesOf } from './places.ts';
import { commentsOf, messagesOf } from './threads-of.ts';

/** The time before which entries must have been listed; later changes may have been read too early. */
const settledBefore = ({ startedAt }: SyncRun): number => startedAt - 15 * 60_000;

const idsOf = async (table: Table, owner: string): Promise<string[]> =>
  (await Array.fromAsync(walkOwned(table, owner))).map(inboxIdIn);

/** Deletes the row of an empty conversation or post, unless its version has changed since it was read. */
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

type Timed = { readonly id: string; readonly createdAt: number };

interface Unlisted<Entry extends Timed> {
  readonly thread: Thread<Entry>;
  /** Whether the entry can be requested from the social network. */
  readonly isKnown: boolean;
  readonly since: number;
}

/**
 * Compares an entry that was not listed with the social network and removes what is gone; false if time runs out first.
 */
async function compare<Entry extends Timed>(
  needs: CopyInboxNeeds,
  { run, endsAt }: SyncPart,
  { thread, isKnown, since }: Unlisted<Entry>,
): Promise<boolean> {
  const { clock, table } = needs;
  if (isKnown) {
    try {
      await copyThread(needs, thread, { place: undefined, isWanted: (oldest) => oldest >= since, endsAt });
      return true;
    } catch (error) {
      if (!isPermanentFault(error)) throw error;
      if (error.reason !== 'not-found') return true;
    }
  }
  const stored = (await Array.fromAsync(table.walk(placesOf(thread.pk)))).map(placedIdIn);
  for (const [index, ids] of inParts(stored).entries()) {
    if (index > 0 && clock.now() >= endsAt) return false;
    await thread.remove(ids, settledBefore(run));
  }
  return true;
}

/** Processes missing entries one by one; if time runs out, returns the last one processed. */
async function oneAtATime(
  needs: CopyInboxNeeds,
  part: SyncPart,
  ids: readonly string[],
  handle: (id: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { run, endsAt } = part;
  const faultOf = partialFaults(run);
  let { prunedTo = '' } = run;
  const begun = prunedTo;
  const listed = new Set(run.listed);
  for (const id of ids.filter((one) => one > begun && !listed.has(one)).toSorted()) {
    if (prunedTo !== begun && needs.clock.now() >= endsAt) return prunedTo;
    const isDone = await unlessPartialFault(needs, part, faultOf, () => handle(id));
    if (isDone === false) return prunedTo;
    prunedTo = id;
  }
  return undefined;
}

/** Whether a conversation is known only from a receipt; such a conversation is never listed. */
const isReceiptAlone = ({ lastMessage, updatedAt }: Conversation): boolean => lastMessage === null && updatedAt === 0;

/**
 * Prunes conversations that changed since a time, and those known only from receipts. If time runs out, returns the
 * last one processed.
 */
export async function pruneConversations(
  needs: CopyInboxNeeds,
  part: SyncPart,
  since: number,
): Promise<string | undefined> {
  const { table } = needs;
  const { connection, run } = part;
  const { accountId } = connection;
  const store = conversationStore(table);
  return oneAtATime(needs, part, await idsOf(table, conversationsOwner(accountId)), async (id) => {
    const found = await store.find(accountId, id);
    if (!found || !isOf(found, connection)) return true;
    if (isReceiptAlone(found)) {
      const reportedAt = Math.max(found.seenUntil, found.deliveredUntil);
      if (reportedAt < settledBefore(run)) await deleteRow(table, conversationKey(accountId, id), found.version);
      return true;
    }
    if (found.updatedAt < since || found.updatedAt >= settledBefore(run)) return true;
    const { networkId, participant } = found;
    const thread = messagesOf(needs, part, { networkId: networkId ?? '', participantId: participant.id });
    const isDone = await compare(needs, part, { thread, isKnown: networkId !== undefined, since });
    const left = await store.find(accountId, id);
    if (left?.lastMessage === null) await deleteRow(table, conversationKey(accountId, id), left.version);
    return isDone;
  });
}

/**
 * Prunes posts whose last comment is not older than a time, or that have none. If time runs out, returns the last one
 * processed.
 */
export async function prunePosts(needs: CopyInboxNeeds, part: SyncPart, since: number): Promise<string | undefined> {
  const { table } = needs;
  const { connection, run } = part;
  const { accountId } = connection;
  const store = postStore(table);
  const owners = [postsOwner(accountId), unlistedPostsOwner(accountId)];
  const ids = (await Promise.all(owners.map((owner) => idsOf(table, owner)))).flat();
  return oneAtATime(needs, part, ids, async (id) => {
    const found = await store.find(accountId, id);
    const changedAt = found?.lastCommentAt ?? since;
    if (!found || !isOf(found, connection) || changedAt < since || changedAt >= settledBefore(run)) return true;
    const isDone = await compare(needs, part, { thread: commentsOf(needs, part, found), isKnown: true, since: 0 });
    const left = await store.find(accountId, id);
    if (left?.commentCount === 0) await deleteRow(table, postKey(accountId, id), left.version);
    return isDone;
  });
}
