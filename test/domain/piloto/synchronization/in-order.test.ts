import { expect, test } from 'vitest';
import { inOrder } from '../../../../shared/domain/piloto/synchronization/in-order.ts';

test('rows are returned in the order of the requested ids, without those that were not found', () => {
  const rows = [{ id: 'c' }, { id: 'a' }, { id: 'x' }];
  expect(inOrder(['a', 'b', 'c'], rows, ({ id }) => id)).toEqual([{ id: 'a' }, { id: 'c' }]);
});
