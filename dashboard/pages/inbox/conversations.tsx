/** The conversations of the account's pages, newest first, and the open one. */
import { Badge, Group, SegmentedControl, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { pilotoMessageContracts } from '../../../shared/contracts/piloto-messages.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { usePaging } from '../../parts/pager.tsx';
import { Panes } from './panes.tsx';
import { type Conversation, participantName } from './participant.ts';
import { Thread } from './thread.tsx';

const route = getRouteApi('/inbox');

const { listConversations } = pilotoMessageContracts;

function Row({ conversation }: { readonly conversation: Conversation }) {
  const { text, format } = useLanguage();
  const { unread } = route.useSearch();
  const { channel, id, lastMessage, unreadCount, updatedAt } = conversation;
  const preview = lastMessage ? (lastMessage.text ?? text.inbox.noText) : '';
  return (
    <li>
      <TextLink to="/inbox" search={{ ...(unread && { unread }), open: id }} className="inbox-row" underline="never">
        <Group component="span" justify="space-between" gap="xs" wrap="nowrap">
          <Text component="span" size="sm" fw={unreadCount > 0 ? 700 : 500} truncate>
            {participantName(conversation) ?? text.inbox.someone}
          </Text>
          <Text component="span" size="xs" c="dimmed" style={{ flex: 'none' }}>
            {format.ago(updatedAt)}
          </Text>
        </Group>
        <Group component="span" justify="space-between" gap="xs" wrap="nowrap">
          <Text component="span" size="sm" c="dimmed" truncate>
            {lastMessage?.direction === 'outbound' && `${text.inbox.you} `}
            {preview}
          </Text>
          {unreadCount > 0 && (
            <Badge
              component="span"
              size="sm"
              circle
              style={{ flex: 'none' }}
              aria-label={text.inbox.unreadOf(unreadCount)}
              role="img"
            >
              {unreadCount}
            </Badge>
          )}
        </Group>
        <Text component="span" size="xs" c="dimmed">
          {text.inbox.channels[channel]}
        </Text>
      </TextLink>
    </li>
  );
}

function UnreadFilter({ onChange }: { readonly onChange: () => void }) {
  const { text } = useLanguage();
  const { unread = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (value: string) => {
    onChange();
    void navigate({ search: ({ open }) => ({ ...(open && { open }), ...(value !== '' && { unread: value }) }) });
  };
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={text.inbox.conversations}
      value={unread === 'true' ? unread : ''}
      onChange={choose}
      data={[
        { value: '', label: text.inbox.allConversations },
        { value: 'true', label: text.inbox.unread },
      ]}
    />
  );
}

/** The most conversations that one request can list. */
const maxListed = 100;

/** The open conversation, even if it has left the list because it was read or is beyond the list's first page. */
function useOpen(listed: readonly Conversation[] | undefined): Conversation | undefined {
  const { open } = route.useSearch();
  const found = listed?.find(({ id }) => id === open);
  const [kept, keep] = useState<Conversation>();
  useEffect(() => {
    if (found) keep(found);
  }, [found]);
  const known = found ?? (kept?.id === open ? kept : undefined);
  const isAbsent = open !== undefined && listed !== undefined && !known;
  const more = useApi(listConversations, { query: { limit: maxListed } }, { enabled: isAbsent });
  return known ?? more.data?.conversations.find(({ id }) => id === open);
}

export function Conversations() {
  const { text } = useLanguage();
  const { open, unread } = route.useSearch();
  const paging = usePaging(20);
  const isFiltered = unread === 'true';
  const query = useApi(
    listConversations,
    { query: { ...paging.query, ...(isFiltered && { unread: 'true' }) } },
    { refetchInterval: 8000, placeholderData: (previous) => previous },
  );
  const conversation = useOpen(query.data?.conversations);
  return (
    <Panes
      title={text.inbox.conversations}
      query={query}
      paging={paging}
      rowsOf={({ conversations }) => conversations}
      filter={<UnreadFilter onChange={() => paging.go(0)} />}
      empty={
        isFiltered ? (
          <Empty icon="check" title={text.inbox.nothingUnread} />
        ) : (
          <Empty icon="inbox" title={text.inbox.noConversations} hint={text.inbox.noConversationsHint} />
        )
      }
      row={(one) => <Row key={one.id} conversation={one} />}
      choose={text.inbox.choose}
      chosen={open && <Thread key={open} conversationId={open} conversation={conversation} />}
    />
  );
}
