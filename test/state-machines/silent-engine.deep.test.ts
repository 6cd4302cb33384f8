/** If an engine sends no callback within a step's time, it is polled. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startScene } from './scene.ts';

// The minute of the step becomes six seconds, within which a step also ends on a busy machine.
const scene = await startScene({ timeoutPace: 0.1 });
const { host } = scene;
afterAll(() => host.close());
beforeEach(() => scene.begin());

describe('a task whose engine should call back', () => {
  test('is completed by polling if the callback is lost', async () => {
    host.engine.play({ check: (job) => ({ status: 200, body: host.engine.done(job) }) });
    const taskId = await scene.speak();
    await scene.expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).checks).toBeGreaterThan(0);
  });

  test('is submitted again with the same id if the engine loses the job', async () => {
    host.engine.play({
      check: (job) =>
        job.submissions === 1 ? { status: 404, body: {} } : { status: 200, body: host.engine.done(job) },
    });
    const taskId = await scene.speak();
    await scene.expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).submissions).toBe(2);
  });

  test('fails with PROVIDER_TIMEOUT and its job is canceled if the engine hangs past the deadline', async () => {
    const taskId = await scene.speak();
    const job = await host.engine.jobOf(taskId);
    host.clock.advance(10 * 60_000 + 1000);
    await scene.expectEnd(taskId, 'failed', 'PROVIDER_TIMEOUT');
    expect(job.canceled).toBe(true);
  });
});
