import { afterAll, expect, it } from 'vitest';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
afterAll(() => service.close());

it('`status` says that nothing is stuck, until a task is past its deadline', async () => {
  const nothing = await service.done('status');
  expect(nothing).toMatchObject({ stuck: [], openTasks: { atLeast: 0, overdue: 0 }, openCases: 0, circuits: [] });
  await service.newTask(await service.newAccount(), { deadlineAt: service.context.clock.now() - 1 });
  expect(await service.done('status')).toMatchObject({ stuck: ['tasks'], openTasks: { atLeast: 1, overdue: 1 } });
  const { stdout } = await service.admin(['status']);
  expect(stdout).toMatch(/^stuck +tasks\n/);
  expect(stdout).toMatch(/^webhooks +0 waiting, 0 in flight, 0 dead letters$/m);
});
