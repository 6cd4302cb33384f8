/** The lines of the permission table for what an account's owner does with tokens, usage and webhooks in the dashboard. */
export const ownerGrants = {
  listTokens: { table: { get: ['activeTokens'], list: ['tokens'], getMany: ['token'], update: ['session'] } },
  createToken: {
    table: {
      get: ['account', 'activeTokens'],
      list: ['tokens'],
      getMany: ['token'],
      put: ['activeTokens', 'guesses', 'token'],
      check: ['session'],
      update: ['activeTokens', 'guesses', 'session'],
    },
    webhookKeys: ['deriveTokens'],
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  revokeToken: {
    table: {
      get: ['activeTokens'],
      list: ['tokens'],
      getMany: ['token'],
      put: ['activeTokens'],
      update: ['activeTokens', 'session', 'token'],
    },
  },
  getUsage: { table: { getMany: ['usage'], query: ['ledger'], put: ['usage'], update: ['session'] } },
  listDeliveries: { table: { list: ['deliveries'], getMany: ['task'], update: ['session'] } },
  redeliverWebhook: { table: { query: ['task'], update: ['session', 'task'] }, webhookQueue: ['send'] },
} as const;
