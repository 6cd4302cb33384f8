/** The dashboard routes that the browser visits to log in: they answer with redirects, not with data. */

export const loginRoutes = {
  /** Starts a log-in: `?provider=…&returnTo=/account/…`, both optional. */
  startLogin: { method: 'GET', path: '/account/api/login' },
  /** Starts a confirmation: the session's owner logs in again with the same provider. `?returnTo=/account/…` */
  startConfirmation: { method: 'GET', path: '/account/api/confirm' },
  /** The identity provider redirects the browser here after a log-in or a confirmation. */
  completeLogin: { method: 'GET', path: '/account/api/callback' },
  /** The identity provider redirects the browser here after it has ended its own session. */
  returnHome: { method: 'GET', path: '/account/api/home' },
} as const;

/** Values of `?problem=` after a failed log-in or confirmation. */
export const loginProblems = [
  /** The log-in attempt took too long, started in another browser, or was already completed. */
  'expired',
  'canceled',
  /** Sign-up is closed, or requires an invitation. */
  'closed',
  'not-invited',
  'email-unverified',
  /** The session's owner must confirm with the provider that they logged in through. */
  'other-account',
  /** The provider did not ask the user to authenticate again. */
  'not-recent',
  'disabled',
  'failed',
] as const;

export type LoginProblem = (typeof loginProblems)[number];
