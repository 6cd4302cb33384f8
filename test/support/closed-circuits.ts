/** Circuits that never open, for tests in which one engine fails repeatedly for many reasons. */
import type { CircuitStore } from '../../shared/domain/generation/circuit-store.ts';

export const closedCircuits: CircuitStore = {
  read: async () => new Map(),
  claim: () => {
    throw new Error('a closed circuit has no probe');
  },
  correct: async () => undefined,
  recordFailure: async () => false,
  recordSuccess: async () => undefined,
  recordNothing: async () => undefined,
  estimate: async () => undefined,
  recordDuration: async () => undefined,
};
