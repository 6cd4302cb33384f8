import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TaskStatus, taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { isTerminal, transitions } from '../../../shared/domain/tasks/task.ts';

const order: readonly TaskStatus[] = ['pending', 'submitted', 'processing', 'completed'];

test('a task’s status never goes back and a terminal one never changes, whatever is attempted', () => {
  const attempts = fc.array(fc.constantFrom(...Object.values(transitions)), { maxLength: 30 });
  fc.assert(
    fc.property(attempts, (moves) => {
      let status: TaskStatus = 'pending';
      for (const move of moves) {
        const before: TaskStatus = status;
        if ((move.from as readonly TaskStatus[]).includes(status)) status = move.to;
        if (isTerminal({ status: before })) expect(status).toBe(before);
        else if (status !== 'failed') expect(order.indexOf(status)).toBeGreaterThanOrEqual(order.indexOf(before));
      }
    }),
  );
});

test('every open status can become failed or completed, and no other status can change', () => {
  for (const status of taskStatuses) {
    const open = !isTerminal({ status });
    expect((transitions.failed.from as readonly TaskStatus[]).includes(status)).toBe(open);
    expect((transitions.completed.from as readonly TaskStatus[]).includes(status)).toBe(open);
  }
});
