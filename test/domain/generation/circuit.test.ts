import { describe, expect, test } from 'vitest';
import {
  accountsKept,
  afterFailure,
  afterSuccess,
  type Circuit,
  failuresThatOpen,
  noStreak,
  pauseAfter,
  quorum,
  recentMs,
  unusedCircuit,
  verdictOf,
} from '../../../shared/domain/generation/circuit.ts';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the row of a circuit', () => {
  const now = 2 * recentMs;
  const fail = (circuit: Circuit, index: number) =>
    afterFailure(circuit, { accountId: `account-${index}`, createdAt: now }, now) ?? circuit;

  test('stays bounded, however many accounts fail', () => {
    let circuit = unusedCircuit;
    for (const index of times(4 * accountsKept)) {
      circuit = fail(afterSuccess(circuit, { accountId: 'customer' }) ?? circuit, index);
      expect(Object.keys(circuit.accounts).length).toBeLessThanOrEqual(accountsKept);
      expect(Object.keys(circuit.streak.votes).length).toBeLessThanOrEqual(quorum * failuresThatOpen);
    }
    expect(Object.keys(circuit.accounts)).toHaveLength(accountsKept);
  });

  test('is updated by a success only after failures', () => {
    const failed = fail(unusedCircuit, 1);
    expect(afterSuccess(unusedCircuit, { accountId: 'account-1' })).toBeUndefined();
    expect(afterSuccess(failed, { accountId: 'account-1' })).toEqual(unusedCircuit);
    expect(afterSuccess(failed, { accountId: 'account-2' })).toMatchObject({ streak: noStreak });
  });

  test('drops accounts that have not used the route lately', () => {
    const circuit = fail(fail(unusedCircuit, 1), 1);
    const later = now + recentMs;
    const after = afterFailure(circuit, { accountId: 'account-2', createdAt: later }, later);
    expect(Object.keys(after?.accounts ?? {})).toEqual(['account-2']);
  });
});

test('the circuit’s pause doubles with each further failure, from half a minute to five minutes', () => {
  expect([5, 6, 7, 8, 9, 50].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
});

test.for([
  ['completes', 'as a success of', undefined, 'works'],
  ['ends with PROVIDER_ERROR', 'as a failure of', 'PROVIDER_ERROR', 'fails'],
  ['ends with PROVIDER_TIMEOUT', 'as a failure of', 'PROVIDER_TIMEOUT', 'fails'],
  ['ends with CONTENT_REJECTED', 'neither for nor against', 'CONTENT_REJECTED', 'nothing'],
  ['ends with INPUT_INVALID', 'neither for nor against', 'INPUT_INVALID', 'nothing'],
  ['ends with DOWNLOAD_FAILED', 'neither for nor against', 'DOWNLOAD_FAILED', 'nothing'],
  ['ends with INTERNAL_ERROR', 'neither for nor against', 'INTERNAL_ERROR', 'nothing'],
  ['is canceled', 'neither for nor against', 'CANCELED', 'nothing'],
] as const)('a task that %s counts %s its route', ([, , code, verdict]) => {
  expect(verdictOf(code)).toBe(verdict);
});
