/** Lets the owner choose one of several pages to which they gave access. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../api/use-api.ts';
import type { Dictionary } from '../../language/en.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { ConnectLink } from './connect-link.tsx';
import type { Entry } from './connection-row.tsx';

const route = getRouteApi('/account');

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Choosing a page has its own error messages: the social network does not respond, or the choice has expired. */
function choiceFailureText(error: unknown, text: Dictionary): string {
  if (error instanceof ApiError && error.code === 'PROVIDER_UNAVAILABLE')
    return text.connections.problems['network-down'];
  return isGone(error) ? text.connections.choiceOver : failureText(error, text);
}

/** Connects the chosen page and shows the outcome. */
function useChoosing(channel: Entry['channel']) {
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  return useCall(dashboardContracts.chooseConnection, {
    onSuccess: async () => {
      await navigate({ search: { channel, outcome: 'connected' }, replace: true });
      await queries.invalidateQueries();
    },
    onError: async (error) => {
      // If the choice has expired, the list shows the current state.
      if (isGone(error)) await navigate({ search: { channel, outcome: 'choose' }, replace: true });
      await queries.invalidateQueries({ queryKey: [dashboardContracts.listConnections.operationId] });
    },
  });
}

interface PageChoiceProps {
  readonly channel: Entry['channel'];
  readonly choice: NonNullable<Entry['choice']>;
}

export function PageChoice({ channel, choice: { pages, until } }: PageChoiceProps) {
  const { text, format } = useLanguage();
  const choose = useChoosing(channel);
  return (
    <Stack gap="sm" role="group" aria-label={text.connections.choose}>
      <div>
        <Text size="sm" fw={500}>
          {text.connections.choose}
        </Text>
        <Text size="sm" c="dimmed">
          {text.connections.chooseHint(format.time(until))}
        </Text>
      </div>
      {pages.map(({ name, pageId }) => (
        <Group key={pageId} justify="space-between" gap="sm" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Button
            size="xs"
            style={{ flex: 'none' }}
            loading={choose.isPending && choose.variables.body?.pageId === pageId}
            disabled={choose.isPending}
            aria-label={text.connections.of(text.connections.connect, name)}
            onClick={() => choose.mutate({ params: { channel }, body: { pageId } })}
          >
            {text.connections.connect}
          </Button>
        </Group>
      ))}
      <Group>
        <ConnectLink channel={channel} label={text.connections.chooseOthers} variant="default" />
      </Group>
      {choose.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {choiceFailureText(choose.error, text)}
        </Text>
      )}
    </Stack>
  );
}
