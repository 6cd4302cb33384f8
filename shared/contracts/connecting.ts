/** The dashboard routes that the browser visits to connect a page: they answer with redirects, not with data. */

export const connectionRoutes = {
  /** Redirects to the social network, where the session's owner is asked to let the service manage a page. */
  startConnection: { method: 'GET', path: '/account/api/connections/{channel}/start' },
  /** The social network redirects the browser here after the owner has decided. */
  completeConnection: { method: 'GET', path: '/account/api/connections/{channel}/callback' },
} as const;

/** The dashboard page to which browsers are finally redirected, with `?channel=` and `?outcome=`. */
export const connectionsPage = '/account/account';
export const connectionsAnchor = 'connections';

/** Why connecting a page failed. */
export const connectionProblems = [
  /** The attempt to connect a page took too long, began in another browser or session, or was already completed. */
  'expired',
  'canceled',
  'not-in-plan',
  /** The service has no app registered at the social network. */
  'not-offered',
  'no-page',
  /** The social network does not respond, or is rate-limiting calls. */
  'network-down',
  /** The social network rejected the authorization code, or the access it has just granted. */
  'rejected',
  'erasing',
  'other-page',
  'other-account',
  'changing',
  'too-many',
  'failed',
] as const;

export type ConnectionProblem = (typeof connectionProblems)[number];

/** `choose`: the social network granted access to several pages, and the owner must choose one. */
export const connectionOutcomes = ['connected', 'choose', ...connectionProblems] as const;

export type ConnectionOutcome = (typeof connectionOutcomes)[number];
