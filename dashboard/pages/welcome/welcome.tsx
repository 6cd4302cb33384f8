/** The page shown to users who are not logged in. */
import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useLanguage } from '../../language/language.tsx';
import { LoginFailure, withoutProblem } from '../../parts/login-failure.tsx';
import { LanguageChoice } from '../account/preferences.tsx';

export function Welcome() {
  const { text } = useLanguage();
  const { href } = useLocation();
  const returnTo = `${import.meta.env.BASE_URL}${withoutProblem(href).replace(/^\//, '')}`;
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper p={{ base: 'lg', sm: 40 }} maw={460} w="100%">
        <Stack gap="lg">
          <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={44} height={44} />
          <div>
            <Title order={1} mb={6}>
              {text.welcome.title}
            </Title>
            <Text c="dimmed">{text.welcome.lead}</Text>
          </div>
          <LoginFailure />
          <Button component="a" size="md" href={`/account/api/login?returnTo=${encodeURIComponent(returnTo)}`}>
            {text.welcome.logIn}
          </Button>
          <Text size="sm" c="dimmed">
            {text.welcome.signUp}
          </Text>
          <LanguageChoice />
        </Stack>
      </Paper>
    </Center>
  );
}
