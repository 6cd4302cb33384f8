/** The page of a closed account: until when it can be opened again, and the way to do so if the owner can. */
import { Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { useCall } from '../../api/use-api.ts';
import type { Session } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { LogOut } from '../../parts/log-out.tsx';
import { LanguageChoice } from '../account/preferences.tsx';

type Closure = NonNullable<Session['closure']>;
type Language = ReturnType<typeof useLanguage>;

function Reopen() {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const reopen = useCall(dashboardContracts.reopenAccount, { onSettled: () => queries.invalidateQueries() });
  return (
    <Stack gap="sm">
      <Text size="sm">{text.closure.reopenHint}</Text>
      {reopen.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureText(reopen.error, text)}
        </Text>
      )}
      <Group gap="sm">
        <Button loading={reopen.isPending} onClick={() => reopen.mutate({})}>
          {text.closure.reopen}
        </Button>
        <LogOut />
      </Group>
    </Stack>
  );
}

/** What is still possible for a closed account. */
function leadText({ eraseAt, isReopenable }: Closure, isOver: boolean, { text, format }: Language): string {
  if (isOver) return text.closure.erasing;
  const moment = format.moment(eraseAt);
  return isReopenable ? text.closure.closedLead(moment) : text.closure.closedForGood(moment);
}

export function Closed({ closure }: { readonly closure: Closure }) {
  const language = useLanguage();
  const { text } = language;
  const isOver = Date.parse(closure.eraseAt) <= Date.now();
  useEffect(() => {
    document.title = `${text.closure.closedTitle} · ${text.shell.service}`;
  }, [text]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper p={{ base: 'lg', sm: 40 }} maw={520} w="100%">
        <Stack gap="lg">
          <div>
            <Title order={1} mb={6}>
              {text.closure.closedTitle}
            </Title>
            <Text c="dimmed" role="status">
              {leadText(closure, isOver, language)}
            </Text>
          </div>
          {!isOver && closure.isReopenable ? <Reopen /> : <LogOut />}
          <LanguageChoice />
        </Stack>
      </Paper>
    </Center>
  );
}
