/** The frame around every page of the operators: the navigation, the search, and the session that the pages need. */
import { Alert, Button, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type OperatorLoginProblem, operatorLoginProblems } from '../../shared/contracts/operate-login.ts';
import { operateSessionContracts } from '../../shared/contracts/operate-session.ts';
import { ApiError } from '../api/api-error.ts';
import { useApi, useCall } from '../api/use-api.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { SearchOpener } from './search-opener.tsx';

type PagePath = '/' | '/customers' | '/tasks' | '/cases' | '/queues' | '/catalog' | '/acts';

const pages: readonly (readonly [name: string, to: PagePath, IconName])[] = [
  ['Overview', '/', 'overview'],
  ['Customers', '/customers', 'account'],
  ['Tasks', '/tasks', 'tasks'],
  ['Cases', '/cases', 'billing'],
  ['Queues', '/queues', 'inbox'],
  ['Catalog', '/catalog', 'book'],
  ['Acts', '/acts', 'check'],
];

const problems: Record<OperatorLoginProblem, string> = {
  expired: 'This log-in took too long or was already used. Log in again.',
  canceled: 'The log-in was canceled.',
  'not-operator': 'This user belongs to no group of operators.',
  'no-email': 'This user has no valid email address. An administrator of the user pool can set one.',
  failed: 'The log-in failed. Try again.',
};

function Welcome() {
  const { href, searchStr } = useLocation();
  const given = new URLSearchParams(searchStr).get('problem');
  const problem = operatorLoginProblems.find((one) => one === given);
  const returnTo = problem ? '/operate/' : `/operate${href}`;
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper p={{ base: 'lg', sm: 40 }} maw={460} w="100%">
        <Stack gap="lg">
          <div>
            <Title order={1} mb={6}>
              Operators
            </Title>
            <Text c="dimmed">For those who operate the service. Account owners have their own dashboard.</Text>
          </div>
          {problem && (
            <Alert color="red" icon={<Icon name="alert" />} role="alert">
              {problems[problem]}
            </Alert>
          )}
          <Button component="a" size="md" href={`/operate/api/login?returnTo=${encodeURIComponent(returnTo)}`}>
            Log in
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}

function LogOut() {
  const leave = useCall(operateSessionContracts.logOutOperator, {
    onSuccess: ({ logoutUrl }) => window.location.assign(logoutUrl),
  });
  return (
    <Button variant="default" size="xs" loading={leave.isPending} onClick={() => leave.mutate({})}>
      Log out
    </Button>
  );
}

/** The search and the log-out on phones, whose navigation has no room for them. */
const PhoneBar = () => (
  <div className="phone-bar phones-only">
    <SearchOpener hasKeys={false} />
    <TextLink to="/sessions" size="xs">
      Your sessions
    </TextLink>
    <LogOut />
  </div>
);

function Navigation({ email, role, children }: { email: string; role: string; children: ReactNode }) {
  return (
    <nav className="navigation" aria-label="Pages">
      <Link to="/" className="brand">
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={28} height={28} />
        <span>Operators</span>
      </Link>
      {children}
      <ul>
        {pages.map(([name, to, icon]) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon name={icon} size={20} />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="navigation-end">
        <Text size="xs" c="dimmed" px="sm" style={{ overflowWrap: 'anywhere' }}>
          {email}, {role}
        </Text>
        <TextLink to="/sessions" size="xs" px="sm">
          Your sessions
        </TextLink>
        <LogOut />
      </div>
    </nav>
  );
}

export function Shell() {
  const session = useApi(operateSessionContracts.getOperator, {}, { staleTime: 60_000 });
  if (session.error instanceof ApiError && session.error.status === 401) return <Welcome />;
  if (!session.data) {
    return (
      <Center mih="100dvh" p="md" component="main">
        {session.error ? (
          <Failure error={session.error} onRetry={() => session.refetch()} />
        ) : (
          <Loader role="status" aria-label="Loading" />
        )}
      </Center>
    );
  }
  const { email, role } = session.data;
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell">
        <Navigation email={email} role={role}>
          <SearchOpener />
        </Navigation>
        <main id="content" tabIndex={-1}>
          <PhoneBar />
          <Outlet />
        </main>
      </div>
    </>
  );
}
