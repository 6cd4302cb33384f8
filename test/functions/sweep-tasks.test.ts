/** The sweeper: nothing stays open, unstarted or undelivered after a crash. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { beforeEach, expect, test } from 'vitest';
import { transitions } from '../../shared/domain/tasks/task.ts';
import { eventually } from '../support/eventually.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 10 });
});

const sweep = () => host.service.invoke('sweepTasks', {});
const stored = (taskId: string) => host.service.context.tasks.find(taskId);

/** Creates a task while Step Functions is unreachable or rejects requests. */
const speakUnstarted = (environment: Record<string, string>): Promise<string> =>
  host.withEnvironment(environment, () => host.speak(account.token));

test('a request whose task could not be started still gets 202, and the next sweep starts the task', async () => {
  const taskId = await speakUnstarted({ AWS_ENDPOINT_URL_SFN: 'http://127.0.0.1:9' });
  expect(host.engine.jobs.has(taskId)).toBe(false);
  await sweep();
  expect((await host.engine.jobOf(taskId)).submissions).toBe(1);
  await host.audit();
});

test('if the workflow service never responds, a request still gets 202 and one debit, and the next sweep starts its task', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const taskId = await speakUnstarted({ AWS_ENDPOINT_URL_SFN: url });
  silent.closeAllConnections();
  silent.close();
  await sweep();
  expect((await host.engine.jobOf(taskId)).submissions).toBe(1);
  expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(9);
});

test('a replay starts a task that the first request could not start', async () => {
  const headers = { 'idempotency-key': 'again' };
  const body = { text: 'Oi.', voice: 'bill' };
  const nowhere = { AWS_ENDPOINT_URL_SFN: 'http://127.0.0.1:9' };
  const taskId = await host.withEnvironment(nowhere, () => host.speak(account.token, body, headers));
  expect(await host.speak(account.token, body, headers)).toBe(taskId);
  expect((await host.engine.jobOf(taskId)).submissions).toBe(1);
});

test('a task whose start is permanently rejected fails and is refunded', async () => {
  const taskId = await host.speak(account.token);
  await host.engine.jobOf(taskId);
  const broken = { STATE_MACHINE_ARNS: 'generate=arn:aws:states:us-east-1:000000000000:stateMachine:nowhere' };
  await host.withEnvironment(broken, () => host.service.invoke('sweepTasks', { everything: true }));
  expect(await host.ended(account.token, taskId)).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR' },
    creditsRefunded: 1,
  });
  await host.audit();
});

test('the sweeper leaves a running execution alone until its deadline, and then fails its task', async () => {
  const taskId = await host.speak(account.token);
  const job = await host.engine.jobOf(taskId);
  host.clock.advance(60_000);
  await sweep();
  expect((await stored(taskId))?.endedAt).toBeUndefined();
  expect(job.submissions).toBe(1);
  host.clock.advance(10 * 60_000 + 1000);
  await sweep();
  expect(await host.ended(account.token, taskId)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
  await eventually('the cancellation of the job', () => (job.canceled ? true : undefined));
  await host.audit();
});

test.each([
  ['counts against the engine if the engine had accepted the task', 'processing', 1],
  ['does not count against an engine that had never accepted the task', 'pending', 0],
] as const)('a timeout found by the sweeper %s', async (_, status, failures) => {
  const { context } = host.service;
  const judged: string[] = [];
  const recordFailure = async ({ accountId }: { accountId: string }) => judged.push(accountId) < 0;
  const taskId = await speakUnstarted({ AWS_ENDPOINT_URL_SFN: 'http://127.0.0.1:9' });
  const task = await stored(taskId);
  if (!task) throw new Error('no task');
  if (status === 'processing') {
    const at = host.clock.now();
    await context.tasks.advance(task, transitions.processing, { at, nextCheckAt: at });
  }
  host.clock.advance(20 * 60_000);
  await host.withContext({ ...context, circuits: { ...context.circuits, recordFailure } }, sweep);
  expect(await stored(taskId)).toMatchObject({ status: 'failed', errorCode: 'PROVIDER_TIMEOUT' });
  expect(judged).toEqual(Array.from({ length: failures }, () => task.accountId));
});

test('a task whose execution is stopped from outside fails, is refunded and sends its webhook', async () => {
  const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await host.engine.jobOf(taskId);
  const machine = host.service.stateMachines.stateMachineArn('generate');
  const executionArn = `${machine.replace('stateMachine', 'execution')}:${taskId}`;
  await new SFNClient(host.service.context.settings.aws('SFN')).send(new StopExecutionCommand({ executionArn }));
  expect(await host.ended(account.token, taskId)).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR' },
    creditsRefunded: 1,
  });
  await eventually('the delivery', () => host.receiver.of(taskId)[0]);
  await host.audit();
});

test('a failure on one task does not keep the sweeper from the others', async () => {
  const { context } = host.service;
  const [lost, other] = [await host.speak(account.token), await host.speak(account.token)];
  await context.table.update({
    Key: { pk: `TASK#${lost}`, sk: 'TASK' },
    UpdateExpression: 'SET accountId = :unknown',
    ExpressionAttributeValues: { ':unknown': 'unknown' },
  });
  host.clock.advance(20 * 60_000);
  await sweep();
  expect((await stored(lost))?.status).not.toBe('failed');
  expect((await stored(other))?.status).toBe('failed');
});
