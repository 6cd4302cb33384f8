/** The URLs of the pages, and the parameters in their queries. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { viewId, viewPathOf } from '../api/view.ts';
import { NotFound } from '../pages/not-found.tsx';
import { Overview } from '../pages/overview/overview.tsx';
import { Failure } from '../parts/failure.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

const textIn = (search: Record<string, unknown>, name: string): string | undefined => {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Keeps query values as text, even if they look like a number or JSON. */
const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts).toString()}`;
}

/** Only the parameters with a value, so that URLs have no empty parts. */
const given = <Name extends string>(search: Record<string, unknown>, ...names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (textIn(search, name) ? [[name, textIn(search, name)]] : []))) as {
    readonly [Key in Name]?: string | undefined;
  };

const overview = createRoute({ getParentRoute: () => root, path: '/', component: Overview });

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>) =>
    given(search, 'status', 'taskType', 'reference', 'after', 'mode'),
  component: lazyRouteComponent(() => import('../pages/tasks/tasks.tsx'), 'Tasks'),
});

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId',
  validateSearch: (search: Record<string, unknown>) => given(search, 'mode'),
  component: lazyRouteComponent(() => import('../pages/tasks/task.tsx'), 'TaskPage'),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  validateSearch: (search: Record<string, unknown>) => given(search, 'operation', 'mode', 'task'),
  component: lazyRouteComponent(() => import('../pages/playground/playground.tsx'), 'Playground'),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../pages/tokens/tokens.tsx'), 'Tokens'),
});

const newToken = createRoute({
  getParentRoute: () => root,
  path: '/tokens/new',
  validateSearch: (search: Record<string, unknown>) => given(search, 'mode'),
  component: lazyRouteComponent(() => import('../pages/tokens/new-token.tsx'), 'NewToken'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: (search: Record<string, unknown>) => given(search, 'status', 'offset'),
  component: lazyRouteComponent(() => import('../pages/webhooks/webhooks.tsx'), 'Webhooks'),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: (search: Record<string, unknown>) => given(search, 'view', 'unread', 'open'),
  component: lazyRouteComponent(() => import('../pages/inbox/inbox.tsx'), 'Inbox'),
});

const billing = createRoute({
  getParentRoute: () => root,
  path: '/billing',
  // Query parameters that the page receives when a checkout redirects back to it.
  validateSearch: (search: Record<string, unknown>) => given(search, 'checkout', 'orderId'),
  component: lazyRouteComponent(() => import('../pages/billing/billing.tsx'), 'Billing'),
});

const order = createRoute({
  getParentRoute: () => root,
  path: '/billing/orders/$orderId',
  component: lazyRouteComponent(() => import('../pages/billing/order.tsx'), 'OrderPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  // Query parameters that the page receives when a social network redirects back to it.
  validateSearch: (search: Record<string, unknown>) => given(search, 'channel', 'outcome'),
  component: lazyRouteComponent(() => import('../pages/account/account.tsx'), 'Account'),
});

export const router = createRouter({
  parseSearch,
  stringifySearch,
  routeTree: root.addChildren([
    overview,
    playground,
    tasks,
    task,
    tokens,
    newToken,
    webhooks,
    inbox,
    billing,
    order,
    account,
  ]),
  basepath: viewId === undefined ? import.meta.env.BASE_URL : viewPathOf(viewId),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
