/** Recognizes faults of social networks by their error name, because the domain imports only types of the port. */
import type { NetworkFault } from '../../gateways/social-network.ts';

export const isNetworkFault = (error: unknown): error is NetworkFault =>
  error instanceof Error && error.name === 'NetworkFault';
