/** The routes of the dashboard that a browser itself visits to connect a page: they answer with redirects, not with data. */

export const connectionRoutes = {
  /** The owner of the session is asked by the channel's network to let the service act for a page. */
  startConnection: { method: 'GET', path: '/account/api/connections/{channel}/start' },
  /** The network sends the browser here after that. */
  completeConnection: { method: 'GET', path: '/account/api/connections/{channel}/callback' },
} as const;

/** The page of the dashboard where browsers arrive afterwards, with `?channel=` and `?outcome=`, and the place in it. */
export const connectionsPage = '/account/account';
export const connectionsAnchor = 'connections';

/** Why nothing came of connecting a page. */
export const connectionProblems = [
  /** It took too long, was begun in another browser or by another log-in, or was already completed. */
  'expired',
  'canceled',
  'not-in-plan',
  /** The service has no app at the network. */
  'not-offered',
  'no-page',
  /** The network does not respond, or limits the rate of calls. */
  'network-down',
  /** The network did not accept the code, or no longer accepts the access that it granted. */
  'rejected',
  'erasing',
  'other-page',
  'other-account',
  'changing',
  'too-many',
  'failed',
] as const;

export type ConnectionProblem = (typeof connectionProblems)[number];

/** `choose`: several pages were granted, of which the owner chooses one. */
export const connectionOutcomes = ['connected', 'choose', ...connectionProblems] as const;

export type ConnectionOutcome = (typeof connectionOutcomes)[number];
