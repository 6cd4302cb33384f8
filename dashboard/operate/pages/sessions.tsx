/** Where the operator is logged in; administrators also end the sessions of others. */
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { operateSessionContracts } from '../../../shared/contracts/operate-session.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { browserName } from '../../parts/browser-name.ts';
import { failureText } from '../../parts/failure-text.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { RecordTable } from '../record-table.tsx';

type Session = Data<typeof operateSessionContracts.listOperatorSessions>['sessions'][number];

const Problem = ({ error }: { readonly error: unknown }) => (
  <Text size="sm" c="var(--mantine-color-error)" role="alert">
    {failureText(error, useLanguage().text)}
  </Text>
);

function End({ session: { isCurrent, sessionId, userAgent } }: { readonly session: Session }) {
  const queries = useQueryClient();
  const end = useCall(operateSessionContracts.endOwnSession, { onSettled: () => queries.invalidateQueries() });
  if (isCurrent) return 'This session';
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={end.isPending}
        aria-label={`End: ${browserName(userAgent) ?? 'unknown browser'}`}
        onClick={() => end.mutate({ params: { sessionId } })}
      >
        End
      </Button>
      {end.isError && <Problem error={end.error} />}
    </>
  );
}

function EndOthers() {
  const queries = useQueryClient();
  const end = useCall(operateSessionContracts.endOtherSessions, { onSettled: () => queries.invalidateQueries() });
  return (
    <>
      <Button size="compact-xs" variant="default" loading={end.isPending} onClick={() => end.mutate({})}>
        End all others
      </Button>
      {end.isError && <Problem error={end.error} />}
    </>
  );
}

function List({ sessions }: { readonly sessions: readonly Session[] }) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title="Sessions"
      rows={sessions}
      keyOf={({ sessionId }) => sessionId}
      columns={[
        { label: 'Browser', cell: ({ userAgent }) => browserName(userAgent) ?? 'unknown' },
        { label: 'Begun', cell: ({ createdAt }) => format.moment(createdAt) },
        { label: 'Last seen', cell: ({ lastSeenAt }) => format.moment(lastSeenAt) },
        { label: 'Ends by', cell: ({ endsAt }) => format.moment(endsAt) },
        { label: 'End', cell: (session) => <End session={session} /> },
      ]}
    />
  );
}

export function Sessions() {
  const query = useApi(operateSessionContracts.listOperatorSessions);
  return (
    <Page title="Your sessions" lead="Where you are logged in to these pages. End those that you do not recognize.">
      <Group gap="xs">
        <EndOthers />
        <ActButton act="endOperatorSessions" label="End another operator’s sessions" />
      </Group>
      <Loaded query={query}>{({ sessions }) => <List sessions={sessions} />}</Loaded>
    </Page>
  );
}
