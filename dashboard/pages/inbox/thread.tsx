/** The messages of a conversation, and a text box to reply. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { instagramTextBytes, pilotoMessageContracts } from '../../../shared/contracts/piloto-messages.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Bubble } from './bubble.tsx';
import { Compose, inBytes } from './compose.tsx';
import { type Conversation, participantName } from './participant.ts';

type Messages = Data<typeof pilotoMessageContracts.listMessages>['messages'];

const { listConversations, listMessages, markConversationRead, sendMessage } = pilotoMessageContracts;

/** Reloads the lists of conversations and messages. */
function useRenewed(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const { operationId } of [listConversations, listMessages])
      void queries.invalidateQueries({ queryKey: [operationId] });
  };
}

/** Marks the conversation as read when its messages are shown. */
function useMarkRead(conversationId: string, messages: Messages = []): void {
  const { mutate } = useCall(markConversationRead, { onSuccess: useRenewed() });
  const unreadId = messages.find(({ direction, status }) => direction === 'inbound' && status !== 'read')?.id;
  useEffect(() => {
    if (unreadId !== undefined) mutate({ params: { conversationId } });
  }, [conversationId, unreadId, mutate]);
}

function MessageList({ messages }: { readonly messages: Messages }) {
  const { text } = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  const newestId = messages[0]?.id;
  useEffect(() => {
    if (list.current && newestId !== undefined) list.current.scrollTop = list.current.scrollHeight;
  }, [newestId]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard
    <ol className="bubbles" aria-label={text.inbox.messages} ref={list} tabIndex={0}>
      {messages.toReversed().map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
    </ol>
  );
}

/** The participant's user name, unless it is already shown as the name. */
const handleOf = ({ participant: { username } }: Conversation): string => (username === null ? '' : ` · @${username}`);

const isOver = ({ replyUntil }: Conversation): boolean => replyUntil === null || Date.parse(replyUntil) <= Date.now();

function Reply({ conversation }: { readonly conversation: Conversation }) {
  const { text, format } = useLanguage();
  const renew = useRenewed();
  const { channel, id: conversationId, replyUntil } = conversation;
  if (isOver(conversation)) {
    return (
      <Text size="sm" c="dimmed">
        {text.inbox.windowClosed}
      </Text>
    );
  }
  return (
    <Compose
      label={text.inbox.reply}
      contract={sendMessage}
      requestOf={(written) => ({ params: { conversationId }, body: { text: written } })}
      onSent={renew}
      {...(channel === 'instagram' && { measure: inBytes, limit: instagramTextBytes })}
      {...(replyUntil !== null && { hint: text.inbox.windowOpen(format.moment(replyUntil)) })}
    />
  );
}

interface ThreadProps {
  readonly conversationId: string;
  /** The conversation; undefined while it is in none of the loaded lists. */
  readonly conversation: Conversation | undefined;
}

export function Thread({ conversationId, conversation }: ThreadProps) {
  const { text } = useLanguage();
  const paging = usePaging(50);
  const query = useApi(
    listMessages,
    { params: { conversationId }, query: paging.query },
    { refetchInterval: 4000, placeholderData: (previous) => previous },
  );
  useMarkRead(conversationId, paging.query.offset === 0 ? query.data?.messages : []);
  return (
    <Stack gap="sm">
      <TextLink
        to="/inbox"
        search={(kept) => ({ ...kept, open: undefined })}
        size="sm"
        w="fit-content"
        className="phones-only"
      >
        ← {text.inbox.conversations}
      </TextLink>
      {conversation && (
        <Group gap="xs" align="baseline">
          <Title order={2}>{participantName(conversation) ?? text.inbox.someone}</Title>
          <Text size="sm" c="dimmed">
            {text.inbox.channels[conversation.channel]}
            {conversation.participant.name !== null && handleOf(conversation)}
          </Text>
        </Group>
      )}
      <Loaded query={query} rows={5}>
        {({ messages }) => (
          <>
            <MessageList messages={messages} />
            <Pager paging={paging} count={messages.length} of={text.inbox.messages} />
          </>
        )}
      </Loaded>
      {conversation && <Reply conversation={conversation} />}
    </Stack>
  );
}
