/** What operators see besides the pages of an account: whose account it is, and until when. */
import { Alert, Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { operateSessionContracts } from '../../shared/contracts/operate-session.ts';
import { useCall } from '../api/use-api.ts';
import { useLanguage } from '../language/language.tsx';
import { failureText } from '../parts/failure-text.ts';
import { Icon } from '../parts/icon.tsx';
import { useSession } from './session.tsx';

/** On all pages of a view; nothing for the owner of the account. */
export function ViewBanner() {
  const { format, text } = useLanguage();
  const { accountId, email, expiresAt, isView } = useSession();
  const end = useCall(operateSessionContracts.endView, {
    onSuccess: () => location.assign(`/operate/customers/${accountId}`),
  });
  if (!isView) return null;
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} className="view-banner" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{text.view.banner(email, format.time(expiresAt))}</Text>
        <Button size="compact-sm" variant="default" loading={end.isPending} onClick={() => end.mutate({})}>
          {text.view.end}
        </Button>
      </Group>
      {end.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureText(end.error, text)}
        </Text>
      )}
    </Alert>
  );
}

export function ViewEnded() {
  const { text } = useLanguage();
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper p={{ base: 'lg', sm: 40 }} maw={460} w="100%">
        <Stack gap="lg">
          <Title order={1}>{text.view.endedTitle}</Title>
          <Text c="dimmed">{text.view.ended}</Text>
          <Button component="a" size="md" href="/operate/">
            {text.view.toOperators}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
