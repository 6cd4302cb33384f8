/** Sends a message as a page, once per idempotency key. */
import { instagramTextBytes, pilotoMessageContracts } from '../../../contracts/piloto-messages.ts';
import type { NetworkMessage, PageAccess, SocialNetwork } from '../../../gateways/social-network.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import { type Attempt, runOnce, type Write } from '../../idempotency/run-once.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { Rejection } from '../../rejection.ts';
import type { Stores } from '../../stores.ts';
import { withPages, writableConnection } from '../pages/connected-pages.ts';
import { presentMessage } from '../present-inbox.ts';
import { replyWindowClosed } from '../rejected-by-network.ts';
import { type NetworkWriteNeeds, writeToNetwork } from '../write-to-network.ts';
import { addMessages } from './apply-messages.ts';
import { type Conversation, type Message, replyUntilOf } from './conversation.ts';
import { claimMessage, conversationStore, saveConversation } from './conversation-store.ts';
import { isBefore, type Lost, mayBeSentBy, requireArrivalOver, searchParts, stillUnknown } from './find-sent.ts';

const contract = pilotoMessageContracts.sendMessage;

export interface WriteNeeds extends Pick<Stores, 'accounts' | 'catalog' | 'table'>, NetworkWriteNeeds {
  readonly ids: Ids;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly socialNetwork: SocialNetwork;
}

interface MessageRequest {
  readonly accountId: string;
  readonly conversationId: string;
  readonly text: string;
  readonly idempotency: Idempotency | undefined;
}

function requireFitting({ channel }: Conversation, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (channel === 'instagram' && bytes > instagramTextBytes) {
    const message = `text must have at most ${instagramTextBytes} bytes of UTF-8 on Instagram, and has ${bytes}`;
    throw new Rejection('invalid', { message });
  }
}

function requireOpenWindow(conversation: Conversation, now: number): void {
  if (now > (replyUntilOf(conversation) ?? 0)) throw replyWindowClosed();
}

/** The social network's id of the conversation, which events do not contain. */
async function threadOf({ socialNetwork }: WriteNeeds, access: PageAccess, conversation: Conversation) {
  const { networkId, participant } = conversation;
  if (networkId !== undefined) return networkId;
  const found = await searchParts({
    list: (cursor) => socialNetwork.conversationsWith(access, participant.id, cursor),
    isIt: (one) => one.participant.id === participant.id,
    timeOf: ({ updatedAt }) => updatedAt,
  });
  return found?.id;
}

/** Finds a message that an earlier, lost call of this request may have sent and that no other request has claimed. */
async function findSent(needs: WriteNeeds, access: PageAccess, conversation: Conversation, lost: Lost) {
  const threadId = await threadOf(needs, access, conversation);
  if (threadId === undefined) return undefined;
  const store = conversationStore(needs.table);
  const isFree = async ({ id }: NetworkMessage) => {
    const messageId = inboxIdOf(conversation, id);
    const { messages } = await store.read(conversation.accountId, conversation.conversationId, [messageId]);
    const known = messages.get(messageId);
    return !known || !('sentBy' in known) || known.sentBy === undefined || known.sentBy === lost.outsideKey;
  };
  return searchParts({
    list: (cursor) => needs.socialNetwork.messages(access, threadId, cursor),
    isIt: (message) => message.direction === 'outbound' && mayBeSentBy(lost, message) && isFree(message),
    timeOf: ({ createdAt }) => createdAt,
    isEnd: ({ createdAt }) => isBefore(lost, createdAt),
  });
}

interface Sending {
  readonly outsideKey: string;
  readonly text: string;
}

interface Sent extends Sending {
  readonly networkId: string;
  readonly createdAt: number;
}

const sentMessage = (conversation: Conversation, { outsideKey, ...sent }: Sent, now: number): Message => ({
  ...sent,
  messageId: inboxIdOf(conversation, sent.networkId),
  direction: 'outbound',
  attachments: [],
  status: 'sent',
  storedAt: now,
  sentBy: outsideKey,
});

/**
 * The writes that store a sent message. A synchronization may have stored it already, and a retry of another request
 * with the same text may have claimed it.
 * @throws {Rejection} in-progress, if a retry of this request can find another message
 */
async function commitSent({ clock, table }: WriteNeeds, given: Conversation, sent: Sent, isRepeated: boolean) {
  const store = conversationStore(table);
  const { accountId, conversationId } = given;
  const message = sentMessage(given, sent, clock.now());
  const { conversation, messages } = await store.read(accountId, conversationId, [message.messageId]);
  const known = messages.get(message.messageId);
  const committed = (actions: readonly Write['action'][], data: Message, after: Conversation) => ({
    writes: actions.map((action) => ({ action, mayBeStale: true as const })),
    data: presentMessage(data, after),
  });
  // If the message was withdrawn or the page disconnected meanwhile, the request has still succeeded.
  if (!conversation || (known && 'removedAt' in known)) return committed([], message, given);
  if (known?.sentBy === sent.outsideKey) return committed([], known, conversation);
  if (known?.sentBy !== undefined && isRepeated) throw stillUnknown();
  if (known?.sentBy !== undefined) return committed([], known, conversation);
  if (known) return committed([claimMessage(conversation, known, sent.outsideKey)], known, conversation);
  const added = await addMessages(store, conversation, [message], messages);
  return committed([saveConversation(added.conversation), ...added.actions], message, added.conversation);
}

/**
 * Sends the message and returns it, or the response of an earlier request. @throws {Rejection} switched-off, forbidden,
 * not-found, invalid, reply-window-closed, dependency-unavailable, in-progress, other-body
 */
export async function sendMessage(needs: WriteNeeds, { accountId, conversationId, text, idempotency }: MessageRequest) {
  const { clock, socialNetwork } = needs;
  const reading = conversationStore(needs.table).find(accountId, conversationId);
  const { connections, read: conversation } = await withPages(needs, contract, accountId, reading);
  if (!conversation) throw new Rejection('not-found');
  const connection = writableConnection(connections, conversation);
  requireFitting(conversation, text);
  const asked = { field: 'text', action: 'send messages' } as const;
  const work = {
    isRepeatable: false,
    call: (outsideKey: string, attempt: Attempt): Promise<Sent> =>
      writeToNetwork(needs, connection, asked, async (access) => {
        const sending = { outsideKey, text };
        const lost = attempt.isInherited
          ? await findSent(needs, access, conversation, { ...sending, lastCall: attempt })
          : undefined;
        if (lost) return { ...sending, networkId: lost.id, createdAt: lost.createdAt };
        requireArrivalOver(clock, attempt);
        requireOpenWindow(conversation, clock.now());
        if (attempt.isInherited) await attempt.recordCall();
        // The time is taken before the call, so that whatever the participant writes meanwhile is later.
        const createdAt = clock.now();
        const { id } = await socialNetwork.sendText(access, conversation.participant.id, text);
        return { ...sending, networkId: id, createdAt };
      }),
    commit: (sent: Sent) => commitSent(needs, conversation, sent, idempotency !== undefined),
  };
  return runOnce(needs, { accountId, contract, idempotency }, work);
}
