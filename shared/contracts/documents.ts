/** Public documents outside the API: they need no token and have no envelope. */

export const documentRoutes = {
  listWebhookKeys: { method: 'GET', path: '/.well-known/webhook-keys.json' },
  getOpenapi: { method: 'GET', path: '/openapi.json' },
  getReference: { method: 'GET', path: '/docs' },
} as const;
