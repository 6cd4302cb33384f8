/** The frame around every page: the navigation, and the session that the pages need. */
import { Center, Loader, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { dashboardContracts } from '../../shared/contracts/dashboard.ts';
import { ApiError } from '../api/api-error.ts';
import { useApi } from '../api/use-api.ts';
import { viewId } from '../api/view.ts';
import { useLanguage } from '../language/language.tsx';
import { Closed } from '../pages/closed/closed.tsx';
import { Welcome } from '../pages/welcome/welcome.tsx';
import { Failure } from '../parts/failure.tsx';
import { LoginFailure } from '../parts/login-failure.tsx';
import { Paused } from '../parts/paused.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteOpener } from './palette-opener.tsx';
import { SessionContext } from './session.tsx';
import { ViewBanner, ViewEnded } from './view.tsx';

export function Shell() {
  const { text } = useLanguage();
  const session = useApi(dashboardContracts.getSession, {}, { staleTime: 60_000 });
  if (session.error instanceof ApiError && session.error.status === 401) {
    return viewId === undefined ? <Welcome /> : <ViewEnded />;
  }
  if (!session.data) {
    return (
      <Center mih="100dvh" p="md" component="main">
        <Stack align="center">
          <Paused />
          {session.error ? (
            <Failure error={session.error} onRetry={() => session.refetch()} />
          ) : (
            <Loader role="status" aria-label={text.common.loading} />
          )}
        </Stack>
      </Center>
    );
  }
  if (session.data.closure) return <Closed closure={session.data.closure} />;
  return (
    <SessionContext value={session.data}>
      <a className="skip" href="#content">
        {text.shell.skip}
      </a>
      <div className="shell">
        <Navigation>
          <PaletteOpener />
        </Navigation>
        <main id="content" tabIndex={-1}>
          <ViewBanner />
          <Paused />
          <LoginFailure />
          <Outlet />
        </main>
      </div>
    </SessionContext>
  );
}
