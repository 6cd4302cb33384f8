/** What anybody may fetch beside the API, at addresses of the form that RFC 8615 sets aside: no token, no envelope. */

export const wellKnownRoutes = {
  listWebhookKeys: { method: 'GET', path: '/.well-known/webhook-keys.json' },
} as const;
