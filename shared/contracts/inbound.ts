/**
 * Endpoints that external parties call: they are not part of the API, and the caller's signature authenticates them.
 */

/** Where social networks send events of connected pages. */
export const socialEventsPath = '/inbound/social/meta';

export const inboundRoutes = {
  receiveEngineCallback: { method: 'POST', path: '/inbound/engines/{engine}/{address}' },
  receivePaymentEvent: { method: 'POST', path: '/inbound/payments/mercado-pago' },
  receiveSubscriptionEvent: { method: 'POST', path: '/inbound/payments/stripe' },
  confirmSocialWebhook: { method: 'GET', path: socialEventsPath },
  receiveSocialEvent: { method: 'POST', path: socialEventsPath },
  receiveSocialWithdrawal: { method: 'POST', path: `${socialEventsPath}/{notice}` },
} as const;
