import { expect, test } from 'vitest';
import { scopePresets } from '../../dashboard/pages/tokens/scope-presets.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { acceptsTests, type Scope } from '../../shared/contracts/scopes.ts';

/** The operations that need a token, of which the scopes permit some. */
const permitted = (granted: readonly Scope[]): OperationContract[] =>
  Object.values<OperationContract>(registry).filter(({ scopes }) => scopes.some((scope) => granted.includes(scope)));

const idsOf = (contracts: readonly OperationContract[]) => contracts.map(({ operationId }) => operationId);

test('a token with the preset for everything may call every operation', () => {
  const all = Object.values<OperationContract>(registry).filter(({ scopes }) => scopes.length > 0);
  expect(idsOf(permitted(scopePresets.everything))).toEqual(idsOf(all));
});

test('a token with the preset for generation may create and read every kind of task, and has only scopes of test tokens', () => {
  const ids = idsOf(permitted(scopePresets.generation));
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(generateContracts), 'getTask', 'listTasks']));
  expect(scopePresets.generation.filter((scope) => !acceptsTests([scope]))).toEqual([]);
});

test('a token with the preset for reading may call read operations, and none that changes anything', () => {
  const reads = permitted(scopePresets.reading);
  expect(reads.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(idsOf(reads)).toEqual(expect.arrayContaining(['getProfile', 'getUsage', 'listTasks', 'listOrders']));
});

test('a token with the preset for the inbox may call the operations of the inbox, and no others', () => {
  const inbox = Object.values<OperationContract>(registry).filter(({ feature }) => feature === 'piloto');
  expect(idsOf(permitted(scopePresets.inbox))).toEqual(idsOf(inbox));
});
