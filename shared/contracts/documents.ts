/** Public documents outside the API: they need no token and have no envelope. */

export const documentRoutes = {
  listWebhookKeys: { method: 'GET', path: '/.well-known/webhook-keys.json' },
  getOpenapi: { method: 'GET', path: '/openapi.json' },
  getDocs: { method: 'GET', path: '/docs' },
  getClients: { method: 'GET', path: '/clients' },
  getVerify: { method: 'GET', path: '/verify' },
  getDataDeletion: { method: 'GET', path: '/data-deletion/{confirmationCode}' },
} as const;

/** The public page that shows the progress of a data deletion request. */
export const deletionPath = (confirmationCode: string): string =>
  documentRoutes.getDataDeletion.path.replace('{confirmationCode}', confirmationCode);
