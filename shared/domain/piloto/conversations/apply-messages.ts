/**
 * Applies reported messages and changes to the stored copy of a conversation; repeated reports have no further effect.
 */
import { isDeepStrictEqual } from 'node:util';
import type { NetworkConversation, NetworkMessage, Participant } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Action, Table } from '../../../platform/dynamo-table.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { clippedMessage } from '../clip-texts.ts';
import { timesInOrder } from '../synchronization/times-in-order.ts';
import { writeUnlessChanged } from '../write-unless-changed.ts';
import {
  type Conversation,
  isUnread,
  type KnownParticipant,
  lastOf,
  laterStatus,
  type Message,
  newConversation,
  type OwnedPage,
  withMessage,
} from './conversation.ts';
import {
  type ConversationStore,
  conversationStore,
  insertMessage,
  removeMessageRows,
  replaceMessage,
  saveConversation,
} from './conversation-store.ts';

export interface CopyNeeds {
  readonly clock: Clock;
  readonly table: Table;
}

/** The most messages per transaction, leaving room for the conversation itself. */
const atOnce = 40;

const messageOf = (page: OwnedPage, { id, ...message }: NetworkMessage, storedAt: number): Message => ({
  ...clippedMessage(message),
  messageId: inboxIdOf(page, id),
  networkId: id,
  storedAt,
});

type Stored = Awaited<ReturnType<ConversationStore['read']>>['messages'];

/** Adds messages that are not stored yet to a conversation, and returns the writes. */
export async function addMessages(
  store: ConversationStore,
  conversation: Conversation,
  messages: readonly Message[],
  stored: Stored,
): Promise<{ readonly conversation: Conversation; readonly actions: readonly Action[] }> {
  const { accountId, conversationId } = conversation;
  let next = conversation;
  const actions: Action[] = [];
  const added: Message[] = [];
  for (const message of messages) {
    const countAfter = async (time: number) => {
      const others = await store.countAfter(accountId, conversationId, time);
      return others + added.filter(({ createdAt }) => createdAt > time).length;
    };
    next = await withMessage(next, message, countAfter);
    added.push(message);
    const known = stored.get(message.messageId);
    actions.push(...insertMessage(next, message, known && 'removedAt' in known ? known : undefined));
  }
  return { conversation: next, actions };
}

/** Stored messages whose delivery status has changed, or whose attachments have new URLs, because URLs expire. */
const changed = (reported: readonly Message[], stored: Stored, { asOf }: Reading): Message[] =>
  reported.flatMap(({ messageId, status: next, attachments: listed }) => {
    const known = stored.get(messageId);
    if (!known || 'removedAt' in known) return [];
    const status = laterStatus(known.status, next);
    const attachments = asOf !== undefined && listed.length > 0 ? listed : known.attachments;
    const isSame = status === known.status && isDeepStrictEqual(attachments, known.attachments);
    return isSame ? [] : [{ ...known, status, attachments }];
  });

/**
 * Describes the chunk of the list from which a synchronization has read the messages, newest first; absent for messages
 * from events, which may be of any age.
 */
export interface Reading {
  /** When the messages were read from the social network. */
  readonly asOf?: number;
  /** Whether the social network's list continues after these messages. */
  readonly isContinued?: boolean;
}

/** Assigns times to reported messages; stored ones keep theirs. */
function timed(reported: readonly Message[], stored: Stored, { asOf, isContinued = false }: Reading) {
  if (asOf === undefined) return reported;
  const storedAt = (id: string) => {
    const known = stored.get(id);
    return known && 'createdAt' in known ? known.createdAt : undefined;
  };
  return timesInOrder(reported, storedAt, isContinued);
}

/**
 * Whether a message must be added. A removed one returns only if it was read from the social network after its removal.
 */
const isMissing =
  (stored: Stored, { asOf = 0 }: Reading) =>
  ({ messageId }: Message): boolean => {
    const known = stored.get(messageId);
    return !known || ('removedAt' in known && known.removedAt < asOf);
  };

interface Part {
  readonly page: OwnedPage;
  readonly by: KnownParticipant;
  readonly messages: readonly NetworkMessage[];
  readonly reading: Reading;
}

async function applyPart({ clock, table }: CopyNeeds, { page, by, messages, reading }: Part): Promise<void> {
  const store = conversationStore(table);
  const conversationId = inboxIdOf(page, by.id);
  await writeUnlessChanged(table, async () => {
    const reported = messages.map((message) => messageOf(page, message, clock.now()));
    const ids = reported.map(({ messageId }) => messageId);
    const read = await store.read(page.accountId, conversationId, ids);
    const before = read.conversation ?? newConversation(page, conversationId, by);
    const missing = timed(reported, read.messages, reading).filter(isMissing(read.messages, reading));
    const { conversation, actions: added } = await addMessages(store, before, missing, read.messages);
    const known = changed(reported, read.messages, reading);
    const actions = [...added, ...known.map((message) => replaceMessage(before, message))];
    return { actions: actions.length > 0 ? [saveConversation(conversation), ...actions] : [], result: undefined };
  });
}

/** Applies messages of one conversation, from an event or a synchronization. */
export async function applyMessages(
  needs: CopyNeeds,
  page: OwnedPage,
  by: KnownParticipant,
  messages: readonly NetworkMessage[],
  reading: Reading = {},
): Promise<void> {
  const distinct = [...new Map(messages.map((message) => [message.id, message])).values()];
  for (let from = 0; from < distinct.length; from += atOnce) {
    const isContinued = reading.isContinued === true || from + atOnce < distinct.length;
    const part = { page, by, messages: distinct.slice(from, from + atOnce) };
    await applyPart(needs, { ...part, reading: { ...reading, isContinued } });
  }
}

/** A participant as lists name them, with less data than the social network returns for a single participant. */
const listedParticipant = ({ id, username, name, avatarUrl }: Participant, known: Participant): Participant => ({
  id,
  username: username ?? known.username,
  name: name ?? known.name,
  avatarUrl: avatarUrl ?? known.avatarUrl,
});

/** Records the participant and the social network's id of a conversation, as read by a synchronization. */
export async function applyConversation(
  { table }: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  { id: networkId, participant, updatedAt }: NetworkConversation,
): Promise<void> {
  const store = conversationStore(table);
  const conversationId = inboxIdOf(page, participant.id);
  await writeUnlessChanged(table, async () => {
    const stored = await store.find(page.accountId, conversationId);
    const known = stored ?? { ...newConversation(page, conversationId, participant), updatedAt };
    const listed = listedParticipant(participant, known.participant);
    const isSame = known.networkId === networkId && isDeepStrictEqual(known.participant, listed);
    return {
      actions: isSame ? [] : [saveConversation({ ...known, networkId, participant: listed })],
      result: undefined,
    };
  });
}

/** Records that the participant has received or read everything up to a time. */
export async function applyMessageStatus(
  { table }: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  { participantId, status, until }: { participantId: string; status: 'delivered' | 'read'; until: number },
): Promise<void> {
  const store = conversationStore(table);
  const conversationId = inboxIdOf(page, participantId);
  const mark = status === 'read' ? 'seenUntil' : 'deliveredUntil';
  await writeUnlessChanged(table, async () => {
    const known =
      (await store.find(page.accountId, conversationId)) ??
      newConversation(page, conversationId, { id: participantId });
    const isOld = known[mark] >= until;
    return { actions: isOld ? [] : [saveConversation({ ...known, [mark]: until })], result: undefined };
  });
}

/** The conversation without a message; if that was the newest, the next newest is read. */
async function withoutMessage(store: ConversationStore, conversation: Conversation, message: Message) {
  const unreadCount = conversation.unreadCount - (isUnread(message, conversation) ? 1 : 0);
  if (conversation.lastMessage?.messageId !== message.messageId) return { ...conversation, unreadCount };
  const { accountId, conversationId } = conversation;
  const ids = await store.messageIds(accountId, conversationId, { limit: 2, offset: 0 });
  const others = ids.filter((id) => id !== message.messageId).slice(0, 1);
  const [newest] = await store.messages(accountId, conversationId, others);
  const lastMessage = newest ? lastOf(newest) : null;
  return { ...conversation, unreadCount, lastMessage, updatedAt: lastMessage?.createdAt ?? conversation.updatedAt };
}

interface Removal {
  /** The social network's ids of the participant and the message. */
  readonly participantId: string;
  readonly messageId: string;
}

/**
 * Removes a message, even one that has not been reported yet. With `storedBefore`, only if it was stored before that
 * time: a message that a synchronization does not find may be newer than what it read.
 */
export async function removeMessage(
  { clock, table }: CopyNeeds,
  page: OwnedPage,
  removal: Removal,
  { storedBefore = Number.POSITIVE_INFINITY }: { readonly storedBefore?: number } = {},
): Promise<void> {
  const store = conversationStore(table);
  const { accountId } = page;
  const conversationId = inboxIdOf(page, removal.participantId);
  const messageId = inboxIdOf(page, removal.messageId);
  await writeUnlessChanged(table, async () => {
    const { conversation, messages } = await store.read(accountId, conversationId, [messageId]);
    const known = messages.get(messageId);
    if (known && ('removedAt' in known || known.storedAt >= storedBefore)) return { actions: [], result: undefined };
    const rows = removeMessageRows({ accountId, conversationId }, messageId, known, clock.now());
    if (!known || !conversation) return { actions: rows, result: undefined };
    const next = await withoutMessage(store, conversation, known);
    return { actions: [saveConversation(next), ...rows], result: undefined };
  });
}
