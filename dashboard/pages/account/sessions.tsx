/** The account's sessions. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { browserName } from '../../parts/browser-name.ts';
import { failureText } from '../../parts/failure-text.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';

type ListedSession = Data<typeof dashboardContracts.listSessions>['sessions'][number];

function SessionRow({ session }: { readonly session: ListedSession }) {
  const { text, format } = useLanguage();
  const queries = useQueryClient();
  const end = useCall(dashboardContracts.revokeSession, { onSettled: () => queries.invalidateQueries() });
  const { isCurrent, lastSeenAt, sessionId, userAgent } = session;
  const name = browserName(userAgent) ?? text.account.unknownBrowser;
  return (
    <Group justify="space-between" component="li">
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {isCurrent ? text.account.thisSession : text.account.lastSeen(format.ago(lastSeenAt))}
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          loading={end.isPending}
          aria-label={`${text.account.end}: ${name}`}
          onClick={() => end.mutate({ params: { sessionId } })}
        >
          {text.account.end}
        </Button>
      )}
      {end.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureText(end.error, text)}
        </Text>
      )}
    </Group>
  );
}

export function Sessions() {
  const { text } = useLanguage();
  const query = useApi(dashboardContracts.listSessions);
  return (
    <Section title={text.account.sessions} hint={text.account.sessionsHint}>
      <Loaded query={query}>
        {({ sessions }) => (
          <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {sessions.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
