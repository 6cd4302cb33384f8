/** The routes of the dashboard that a browser itself visits to log in: they answer with redirects, not with data. */

export const loginRoutes = {
  /** `?provider=…&returnTo=/account/…`, both optional. */
  startLogin: { method: 'GET', path: '/account/api/login' },
  /** `?returnTo=/account/…`: the owner of the session logs in again, which confirms who they are. */
  startConfirmation: { method: 'GET', path: '/account/api/confirm' },
  /** The identity provider sends the browser here after both. */
  completeLogin: { method: 'GET', path: '/account/api/callback' },
  /** And here after it has forgotten the browser. */
  returnHome: { method: 'GET', path: '/account/api/home' },
} as const;

/** What a page finds as `?problem=` when a log-in or a confirmation came to nothing. */
export const loginProblems = [
  /** It took too long, was started in another browser, or was already completed. */
  'expired',
  'canceled',
  /** Nobody new is admitted, or only those with an invitation. */
  'closed',
  'not-invited',
  'email-unverified',
  /** The owner of the session must confirm, with the provider that they logged in through. */
  'other-account',
  /** The provider let the browser pass without asking who it is. */
  'not-recent',
  'disabled',
  'failed',
] as const;

export type LoginProblem = (typeof loginProblems)[number];
