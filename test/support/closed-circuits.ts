/** Circuits that never open: for tests in which one engine fails for many reasons, one after the other. */
import type { CircuitStore } from '../../shared/domain/generation/circuit-store.ts';

export const closedCircuits: CircuitStore = {
  read: async () => new Map(),
  noteFailure: async () => false,
  noteSuccess: async () => undefined,
  giveBack: async () => undefined,
};
