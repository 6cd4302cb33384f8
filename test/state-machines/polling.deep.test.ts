/** The same workflow with an engine that never calls back and must be polled. */
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ environment: { OFFLINE_ENGINE_COMPLETION: 'polling' } });

test('an engine that must be polled gets no callback URL, and is polled until its job is done', async () => {
  const account = await host.account();
  host.engine.play({
    check: (job) => ({
      status: 200,
      body: job.checks < 4 ? host.engine.report(job, 'running', { progress: job.checks * 20 }) : host.engine.done(job),
    }),
  });
  const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'will', callbackUrl: host.receiver.url });
  const task = await host.ended(account.token, taskId);
  const job = await host.engine.jobOf(taskId);
  expect(task.status).toBe('completed');
  expect(job).toMatchObject({ submissions: 1, checks: 4 });
  expect(job.callbackUrl).toBeUndefined();
  await eventually('the delivery', () => host.receiver.of(taskId)[0]);
  expect(host.receiver.of(taskId)).toHaveLength(1);
  await host.audit();
});

test('failed status requests do not end an engine’s job, however many there are', async () => {
  const account = await host.account();
  host.engine.play({
    check: (job) => {
      if (job.checks % 3 !== 0) return { status: 503, body: {} };
      return { status: 200, body: job.checks < 30 ? host.engine.report(job, 'running') : host.engine.done(job) };
    },
  });
  const taskId = await host.speak(account.token);
  expect(await host.ended(account.token, taskId)).toMatchObject({ status: 'completed' });
  expect(await host.engine.jobOf(taskId)).toMatchObject({ submissions: 1, checks: 30 });
});

test('an engine that never finishes is polled until the deadline', async () => {
  const account = await host.account();
  host.engine.play({});
  const taskId = await host.speak(account.token);
  await host.engine.jobOf(taskId);
  host.clock.advance(11 * 60_000);
  expect(await host.ended(account.token, taskId)).toMatchObject({
    status: 'failed',
    error: { code: 'PROVIDER_TIMEOUT' },
    creditsRefunded: 1,
  });
  await host.audit();
});

test('a job that the engine loses every time is submitted three times, and then its task is refunded', async () => {
  const account = await host.account();
  host.engine.play({ check: () => ({ status: 404, body: {} }) });
  const taskId = await host.speak(account.token);
  expect(await host.ended(account.token, taskId)).toMatchObject({
    status: 'failed',
    error: { code: 'PROVIDER_ERROR' },
    creditsRefunded: 1,
  });
  expect(await host.engine.jobOf(taskId)).toMatchObject({ submissions: 3 });
  await host.audit();
});
