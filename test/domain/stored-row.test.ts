/** An invalid row results in an error that names the invalid attribute, but never quotes its content. */
import { describe, expect, test } from 'vitest';
import { toAccount } from '../../shared/domain/accounts/account-store.ts';
import { toStoredResponse } from '../../shared/domain/idempotency/idempotency-store.ts';
import { InvalidRow } from '../../shared/domain/stored-row.ts';
import { toAttempt } from '../../shared/domain/tasks/delivery-attempt.ts';
import { toTask } from '../../shared/domain/tasks/task-item.ts';
import type { Item } from '../../shared/platform/dynamo-table.ts';
import { anAccount, aTask } from '../support/test-table.ts';

const secret = 'a private prompt';

const { taskId, ...task } = aTask({ input: { text: secret } });
const { accountId, openTasks: _none, ...account } = anAccount({ name: secret });
const result = { delivered: true, statusCode: 204, error: null, durationMs: 3 };

const kinds: readonly { kind: string; parse: (item: Item) => unknown; row: Item }[] = [
  { kind: 'task', parse: toTask, row: { pk: `TASK#${taskId}`, ...task } },
  { kind: 'account', parse: toAccount, row: { pk: `ACCOUNT#${accountId}`, ...account } },
  { kind: 'response', parse: toStoredResponse, row: { fingerprint: 'x', status: 202, body: secret } },
  {
    kind: 'delivery',
    parse: toAttempt,
    row: { attempt: 1, worker: 'w', at: 1, leaseUntil: 2, outcome: result },
  },
];

describe.each(kinds)('a stored $kind', ({ kind, parse, row }) => {
  const attributes = Object.keys(row).filter((name) => name !== 'pk');

  test('is read when it is complete', () => {
    expect(parse(row)).toBeTypeOf('object');
  });

  test.each(attributes)(
    'with a value of the wrong form in %s is rejected with an InvalidRow that names this attribute',
    (attribute) => {
      const broken = { ...row, [attribute]: { [secret]: secret } };
      const thrown = (() => {
        try {
          return parse(attribute === 'input' ? { ...broken, input: secret } : broken);
        } catch (error) {
          return error;
        }
      })();
      expect(thrown).toBeInstanceOf(InvalidRow);
      expect(String(thrown)).toContain(`a stored ${kind} cannot be read: ${attribute} (`);
      expect(JSON.stringify([String(thrown), thrown])).not.toContain(secret);
    },
  );
});

test('an InvalidRow error names every wrong attribute once, and has its own error name', () => {
  const parse = () => toTask({ pk: `TASK#${taskId}`, ...task, cost: 'free', input: [], status: 'dreaming' });
  expect(parse).toThrow(/^a stored task cannot be read: status \(\w+\), cost \(\w+\), input \(\w+\)$/);
  expect(parse).toThrow(expect.objectContaining({ name: 'InvalidRow' }));
});

test('a stored task of a type that this release does not know cannot be read', () => {
  expect(() => toTask({ pk: `TASK#${taskId}`, ...task, taskType: 'dream' })).toThrow('taskType (custom)');
});

test('an account feature that this release does not know is ignored', () => {
  expect(toAccount({ pk: `ACCOUNT#${accountId}`, ...account, features: ['studio', 'tomorrow'] }).features).toEqual([
    'studio',
  ]);
});
