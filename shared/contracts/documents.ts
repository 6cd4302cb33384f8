/** Public documents outside the API: they need no token and have no envelope. */

export const documentRoutes = {
  listWebhookKeys: { method: 'GET', path: '/.well-known/webhook-keys.json' },
  getOpenapi: { method: 'GET', path: '/openapi.json' },
  getReference: { method: 'GET', path: '/docs' },
  getDataDeletion: { method: 'GET', path: '/data-deletion/{confirmationCode}' },
} as const;

/** Where people see what has become of the data that they wanted to be deleted. */
export const deletionPath = (confirmationCode: string): string =>
  documentRoutes.getDataDeletion.path.replace('{confirmationCode}', confirmationCode);
