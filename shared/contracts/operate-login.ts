/** The routes of the operators' pages that the browser visits to log in: they answer with redirects, not with data. */

export const operatorLoginRoutes = {
  /** Starts a log-in: `?returnTo=/operate/…`, optional. */
  startOperatorLogin: { method: 'GET', path: '/operate/api/login' },
  /** The identity provider redirects the browser here after a log-in. */
  completeOperatorLogin: { method: 'GET', path: '/operate/api/callback' },
  /** The identity provider redirects the browser here after it has ended its own session. */
  returnToDesk: { method: 'GET', path: '/operate/api/home' },
} as const;

/** Values of `?problem=` after a failed log-in. */
export const operatorLoginProblems = [
  /** The log-in attempt took too long, started in another browser, or was already completed. */
  'expired',
  'canceled',
  /** The user belongs to no group of operators. */
  'not-operator',
  /** The user has no valid email address, which names operators in lists and logs. */
  'no-email',
  'failed',
] as const;

export type OperatorLoginProblem = (typeof operatorLoginProblems)[number];
