/** Recognizes the faults of social networks: the domain knows the port's types alone. */
import type { NetworkFault } from '../../gateways/social-network.ts';

export const isNetworkFault = (error: unknown): error is NetworkFault =>
  error instanceof Error && error.name === 'NetworkFault';
