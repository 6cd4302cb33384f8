import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { executions, stateMachineArn } from '../../../../infra/local/state-machines/executions.ts';
import { readMachine } from '../../../../infra/local/state-machines/state-machine-definition.ts';
import { taskAttempts } from '../../../../infra/local/state-machines/task-attempts.ts';
import { taskTokens } from '../../../../infra/local/state-machines/task-tokens.ts';
import { ask, Caught, caught, closeSubjects, outputOf, subject, work } from './state-machine-subject.ts';

afterEach(closeSubjects);

const activeTimers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('the local state machine keeps timers and history bounded over a thousand retries of one state', async () => {
  let calls = 0;
  let maxTimers = 0;
  const timersBefore = activeTimers();
  const retry = {
    ErrorEquals: ['StillRunning'],
    IntervalSeconds: 2,
    BackoffRate: 1.5,
    MaxDelaySeconds: 15,
    MaxAttempts: 1000,
  };
  const { start, ended, sfn, machines } = await subject(
    // At this pace the timeout is 600 s, so that no attempt times out on a slow machine.
    { Ask: { ...ask, ...caught, TimeoutSeconds: 6_000_000, Retry: [retry] }, Caught },
    {
      pace: 0.0001,
      async invoke() {
        calls++;
        maxTimers = Math.max(maxTimers, activeTimers() - timersBefore);
        throw Object.assign(new Error('not yet'), { name: 'StillRunning' });
      },
    },
  );
  const executionArns = await Promise.all(['a', 'b', 'c'].map((taskId) => start({ taskId })));
  for (const executionArn of executionArns)
    expect(outputOf(await ended(executionArn))).toMatchObject({ error: { Error: 'StillRunning' } });
  expect(calls).toBe(3 * 1001);
  expect(maxTimers).toBeLessThan(60);
  const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn: executionArns[0] }));
  expect(events.length).toBeLessThanOrEqual(50);
  expect(events.at(-1)).toMatchObject({ type: 'ExecutionSucceeded' });
  expect(events.at(-1)?.id).toBeGreaterThan(1000);
  expect(machines.executions()[0]?.statesEntered).toStrictEqual(['Ask', 'Caught']);
});

it('the local state machine drops the oldest ended executions beyond ten thousand, but no running one', async () => {
  const machines = new Map(
    ['quick', 'waiting'].map((name) => {
      const state = name === 'quick' ? { Type: 'Succeed' } : { ...ask, End: true };
      return [stateMachineArn(name), readMachine(JSON.stringify({ StartAt: 'S', States: { S: state } }))];
    }),
  );
  const never = new Promise<never>(() => undefined);
  const integrations = new Map([['arn:aws:states:::lambda:invoke', () => never]]);
  const tokens = taskTokens();
  let endedCount = 0;
  const all = executions(
    machines,
    () => taskAttempts(tokens, integrations),
    () => endedCount++,
  );
  const waiting = all.start({ stateMachineArn: stateMachineArn('waiting'), name: 'waiting', input: '{"taskId":"a"}' });
  const total = 10_200;
  for (let count = 0; count < total; count++) {
    all.start({ stateMachineArn: stateMachineArn('quick'), name: `quick-${count}` });
    if (count % 500 === 499) await vi.waitFor(() => expect(endedCount).toBe(count + 1), 120_000);
  }
  await vi.waitFor(() => expect(endedCount).toBe(total), 120_000);
  expect(all.all()).toHaveLength(10_001);
  expect(
    all
      .all()
      .slice(0, 2)
      .map(({ name }) => name),
  ).toStrictEqual(['waiting', 'quick-200']);
  expect(tokens.openCount).toBe(1);
  all.stopAll();
  expect(waiting.end?.status).toBe('ABORTED');
  await vi.waitFor(() => expect(tokens.openCount).toBe(0), 120_000);
});

it('the local state machine keeps no process alive once it is closed, whatever its executions were waiting for', async () => {
  const module = JSON.stringify(
    new URL('../../../../infra/local/state-machines/state-machines.ts', import.meta.url).href,
  );
  const machine = (state: object): string =>
    JSON.stringify({ StartAt: 'S', TimeoutSeconds: 5000, States: { S: { ...state, End: true } } });
  const retry = { ErrorEquals: ['TypeError'], IntervalSeconds: 1000, MaxAttempts: 9 };
  const definitions = {
    asking: machine(ask),
    waiting: machine({ Type: 'Wait', Seconds: 1000 }),
    retrying: machine({ ...work, Retry: [retry] }),
    mapping: machine({
      Type: 'Map',
      ItemsPath: '$.items',
      ItemProcessor: { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 1000, End: true } } },
    }),
  };
  const code = `
    const { startStateMachines } = await import(${module});
    const machines = await startStateMachines({
      definitions: ${JSON.stringify(definitions)},
      invoke: async (name) => { if (name === 'work') throw new TypeError('no'); },
      onStatusChange: () => process.stdout.write('unexpected'),
    });
    for (const name of ['asking', 'waiting', 'retrying', 'mapping']) {
      const stateMachineArn = machines.stateMachineArn(name);
      const body = JSON.stringify({ stateMachineArn, input: '{"taskId":"a","items":[1,2]}' });
      const headers = { 'X-Amz-Target': 'AWSStepFunctions.StartExecution' };
      const response = await fetch(machines.url, { method: 'POST', headers, body });
      if (!response.ok) process.stdout.write(await response.text());
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    await machines.close();
    process.stdout.write('closed');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const [exitCode] = await once(child, 'exit');
  expect({ exitCode, said }).toStrictEqual({ exitCode: 0, said: 'closed' });
});
