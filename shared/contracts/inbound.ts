/** What outside parties call: not part of the API, authenticated by their own signatures. */

export const inboundRoutes = {
  receiveEngineCallback: { method: 'POST', path: '/inbound/engines/{engine}/{address}' },
} as const;
