/** Ends that the engine does not report, and concurrent ends: a task ends only once. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-service.ts';
import { cost, type Scene, startScene } from './scene.ts';

let account: TestAccount;

const scene = await startScene();
const { host } = scene;
afterAll(() => host.close());
beforeEach(async () => {
  await scene.begin();
  ({ account } = scene);
});

const speak = () => scene.speak();
const expectEnd = (...end: Parameters<Scene['expectEnd']>) => scene.expectEnd(...end);
const expectStands = (...end: Parameters<Scene['expectStands']>) => scene.expectStands(...end);

describe('a cancellation', () => {
  const cancel = (taskId: string) => host.call('cancelTask', { token: account.token, params: { taskId } });

  test('ends an open task, refunds it and stops the engine job and the execution; a second one is rejected', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await eventually('processing', async () =>
      (await host.task(account.token, taskId)).status === 'processing' ? true : undefined,
    );
    const response = await cancel(taskId);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({ status: 'failed', error: { code: 'CANCELED' }, creditsRefunded: cost });
    const ended = await expectEnd(taskId, 'failed', 'CANCELED');
    expect(job.canceled).toBe(true);
    expect((await cancel(taskId)).body.error?.code).toBe('TASK_NOT_CANCELABLE');
    await eventually('the end of the execution', () =>
      host.service.stateMachines.executions().find(({ name, status }) => name === taskId && status === 'SUCCEEDED'),
    );
    await host.engine.callBack(job, host.engine.done(job));
    await expectStands(taskId, ended);
  });

  test('during the submission ends the task and also cancels the job that is not recorded yet', async () => {
    const asked = Promise.withResolvers<string>();
    const canceled = Promise.withResolvers<void>();
    host.engine.play({
      submit: async (job) => {
        asked.resolve(job.id);
        await canceled.promise;
        return { status: 202, body: host.engine.report(job, 'queued') };
      },
    });
    const taskId = await speak();
    await asked.promise;
    expect((await cancel(taskId)).status).toBe(200);
    canceled.resolve();
    await expectEnd(taskId, 'failed', 'CANCELED');
    const job = await host.engine.jobOf(taskId);
    await eventually('the cancellation of the job', () => (job.canceled ? true : undefined));
  });

  test('races with the completion so that exactly one of them takes effect', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    const [, canceled] = await Promise.all([host.engine.callBack(job, host.engine.done(job)), cancel(taskId)]);
    const won = canceled.status === 200;
    await expectEnd(taskId, won ? 'failed' : 'completed', won ? 'CANCELED' : undefined);
  });
});
