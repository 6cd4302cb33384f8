/** The URLs of the operators' pages. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from '../parts/failure.tsx';
import { Overview } from './pages/overview.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

const given = <Name extends string>(search: Record<string, unknown>, ...names: readonly Name[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
  ) as { readonly [Key in Name]?: string };

const overview = createRoute({ getParentRoute: () => root, path: '/', component: Overview });

const customers = createRoute({
  getParentRoute: () => root,
  path: '/customers',
  component: lazyRouteComponent(() => import('./pages/customers.tsx'), 'Customers'),
});

const customer = createRoute({
  getParentRoute: () => root,
  path: '/customers/$accountId',
  component: lazyRouteComponent(() => import('./pages/customer.tsx'), 'CustomerPage'),
});

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>) =>
    given(search, 'account', 'status', 'type', 'engine', 'error', 'minutes', 'day', 'stuck', 'before'),
  component: lazyRouteComponent(() => import('./pages/tasks.tsx'), 'Tasks'),
});

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId',
  component: lazyRouteComponent(() => import('./pages/task.tsx'), 'TaskPage'),
});

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  component: lazyRouteComponent(() => import('./pages/cases.tsx'), 'Cases'),
});

const queues = createRoute({
  getParentRoute: () => root,
  path: '/queues',
  component: lazyRouteComponent(() => import('./pages/queues.tsx'), 'Queues'),
});

const catalog = createRoute({
  getParentRoute: () => root,
  path: '/catalog',
  component: lazyRouteComponent(() => import('./pages/catalog.tsx'), 'Catalog'),
});

const acts = createRoute({
  getParentRoute: () => root,
  path: '/acts',
  component: lazyRouteComponent(() => import('./pages/acts.tsx'), 'Acts'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./pages/sessions.tsx'), 'Sessions'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/catalog/$row',
  component: lazyRouteComponent(() => import('./pages/catalog-row.tsx'), 'CatalogRowPage'),
});

export const router = createRouter({
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch(search) {
    const parts = Object.entries(search).filter((part): part is [string, string] => typeof part[1] === 'string');
    return parts.length === 0 ? '' : `?${new URLSearchParams(parts).toString()}`;
  },
  routeTree: root.addChildren([
    overview,
    customers,
    customer,
    tasks,
    task,
    cases,
    queues,
    catalog,
    history,
    acts,
    sessions,
  ]),
  basepath: '/operate/',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
