/** The endpoints that external parties call: not part of the API, and authenticated by the caller's signature. */

export const inboundRoutes = {
  receiveEngineCallback: { method: 'POST', path: '/inbound/engines/{engine}/{address}' },
} as const;
