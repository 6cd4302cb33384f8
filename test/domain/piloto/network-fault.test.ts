import { expect, test } from 'vitest';
import { isNetworkFault } from '../../../shared/domain/piloto/network-fault.ts';
import { NetworkFault } from '../../../shared/gateways/social-network.ts';

test('a social network’s fault is recognized with its reason, unlike other errors', () => {
  const fault: unknown = new NetworkFault('throttled', 'code 32', { retryAfterSeconds: 60 });
  expect(isNetworkFault(fault) && [fault.reason, fault.retryAfterSeconds]).toEqual(['throttled', 60]);
  expect([new Error('NetworkFault'), 'NetworkFault', undefined].map(isNetworkFault)).toEqual([false, false, false]);
});
