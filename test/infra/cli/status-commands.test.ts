import { afterAll, expect, it } from 'vitest';
import { endUnnotified } from '../../support/end-unnotified.ts';
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
  expect(stdout).toMatch(/^tasksPastTheirDeadline +1: "task list --stuck deadline"$/m);
  expect(stdout).toMatch(/^webhooks +0 waiting, 0 in flight, 0 dead letters$/m);
});

it('`status` counts webhooks that failed, and `task list --stuck webhook` lists their tasks', async () => {
  const { context } = service;
  const owed = { callbackUrl: 'https://shop.example.com/', webhookStatus: 'pending', webhookFrom: 1 } as const;
  const task = await service.newTask(await service.newAccount(), owed);
  const { taskId } = task;
  await endUnnotified(context, task, { status: 'failed', code: 'PROVIDER_ERROR' });
  const now = context.clock.now();
  await context.deliveries.claim(taskId, 3, { worker: 'w', now });
  const failure = { delivered: false, statusCode: 500, error: 'status 500', durationMs: 1 };
  await context.deliveries.record(taskId, 3, failure, now);
  await context.tasks.settleWebhook(task, 'failed');
  expect(await service.done('status')).toMatchObject({
    stuck: expect.arrayContaining(['webhooks']),
    failedWebhooks: 1,
  });
  const { stdout } = await service.admin(['status']);
  expect(stdout).toMatch(/^failedWebhooks +1: "task list --stuck webhook"$/m);
  expect(await service.done('task', 'list', '--stuck', 'webhook')).toMatchObject({ tasks: [{ taskId }] });
});
