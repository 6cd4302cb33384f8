import { expect, test } from 'vitest';
import { describeLedgerRow } from '../../../shared/domain/accounts/ledger.ts';

const row = { id: 'row', accountId: 'account', amount: 1, at: 0 } as const;
const ofTask = { ...row, taskType: 'voice', taskId: '0193a5c4' } as const;

const ofOrder = { ...row, orderId: '0193a5c5' } as const;

test('the description of a ledger row names its task or order and says if it is a refund, or else states its reason', () => {
  expect(describeLedgerRow({ ...ofTask, reason: 'generation' })).toBe('voice, task 0193a5c4');
  expect(describeLedgerRow({ ...ofTask, reason: 'refund' })).toBe('Refund of voice, task 0193a5c4');
  expect(describeLedgerRow({ ...ofOrder, reason: 'purchase' })).toBe('Order 0193a5c5');
  expect(describeLedgerRow({ ...ofOrder, reason: 'refund' })).toBe('Refund of order 0193a5c5');
  expect(describeLedgerRow({ ...row, reason: 'bonus' })).toBe('bonus');
});
