import { beforeAll, expect, test } from 'vitest';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { contractFuzz, type FuzzResult } from './contract-fuzz.ts';
import { brokenFunctions, plantedBreaches } from './planted-breaches.ts';

let result: FuzzResult;

/** Operations whose planted breach shows only at a limit; cases at the limits of all others would take most of the time. */
const limited: readonly OperationId[] = ['cancelTask', 'generateVoice', 'getTask'];

/** Without a body or an id to name, most operations have no example of a request. */
const covered = Object.values(registry)
  .filter((contract) => limited.includes(contract.operationId) || !('body' in contract || contract.path.includes('{')))
  .map(({ operationId }) => operationId);

// The tool may have to be installed first.
beforeAll(async () => {
  result = await contractFuzz({ cases: 1, covered, seed: 1, shown: false, functions: brokenFunctions });
}, 600_000);

test.for([...plantedBreaches])('the contract fuzz detects a planted breach of the contract in %s', ([, planted]) => {
  for (const sentence of planted.found) expect(result.problems).toContainEqual(expect.stringMatching(sentence));
});

test('the contract fuzz counts every case by the response that leaves the service', () => {
  const counts = Object.values(result.statuses).flatMap((ofOne) => Object.values(ofOne));
  expect(result.cases).toBeGreaterThan(100);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(result.cases);
});
