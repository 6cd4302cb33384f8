/** The page of a closed account: until when it can be opened again, and the way to do so. */
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

export function Closed({ closure }: { readonly closure: NonNullable<Session['closure']> }) {
  const { text, format } = useLanguage();
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
              {isOver ? text.closure.erasing : text.closure.closedLead(format.moment(closure.eraseAt))}
            </Text>
          </div>
          {isOver ? <LogOut /> : <Reopen />}
          <LanguageChoice />
        </Stack>
      </Paper>
    </Center>
  );
}
