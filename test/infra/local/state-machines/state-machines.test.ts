import {
  GetExecutionHistoryCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, expect, it, vi } from 'vitest';
import { FunctionTimedOut } from '../../../../infra/local/lambda-host.ts';
import { type Pace, readMachine } from '../../../../infra/local/state-machines/state-machine-definition.ts';
import { type Asked, ask, Caught, caught, closeSubjects, outputOf, subject, work } from './state-machine-subject.ts';

afterEach(closeSubjects);

/** A timeout that no machine reaches, however slow it is, even at the pace of these tests. */
const patient = { ...ask, TimeoutSeconds: 600_000 };

it('the local state machine passes the result of a state’s function, called with the state’s parameters, to the next state', async () => {
  const calls: unknown[] = [];
  const { start, ended, machines } = await subject(
    { Work: { ...work, Next: 'Done' }, Done: { Type: 'Succeed' } },
    { invoke: async (name, event) => calls.push({ name, event }) },
  );
  const execution = await ended(await start({ a: 1 }, { name: 'one' }));
  expect(calls).toStrictEqual([{ name: 'work', event: { a: 1 } }]);
  expect(execution).toMatchObject({ status: 'SUCCEEDED', name: 'one', input: '{"a":1}' });
  expect(execution.startDate?.getTime()).toBeLessThanOrEqual(execution.stopDate?.getTime() ?? 0);
  expect(outputOf(execution)).toStrictEqual({ StatusCode: 200, Payload: 1 });
  expect(machines.executions()).toStrictEqual([{ name: 'one', status: 'SUCCEEDED', statesEntered: ['Work', 'Done'] }]);
});

it.each([
  [Object.assign(new Error('busy'), { name: 'EngineUnavailable' }), 'EngineUnavailable', 'busy'],
  [new TypeError('no'), 'TypeError', 'no'],
  [new FunctionTimedOut(3), 'Sandbox.Timedout', 'Task timed out after 3.00 seconds'],
])(
  'the local state machine catches a failed function by its error name, with the cause in Lambda’s format: %s',
  async (thrown, name, message) => {
    const { start, ended } = await subject(
      {
        Work: { ...work, ...caught, Catch: [{ ErrorEquals: [name], ResultPath: '$.error', Next: 'Caught' }] },
        Caught,
      },
      { invoke: () => Promise.reject(thrown) },
    );
    const { error } = outputOf(await ended(await start())) as { error: { Error: string; Cause: string } };
    expect(error.Error).toBe(name);
    expect(JSON.parse(error.Cause)).toStrictEqual({ errorType: name, errorMessage: message, trace: [] });
  },
);

it('the local state machine ignores the result of a function whose state waits for a report, but not its failure', async () => {
  const { start, ended, sfn } = await subject(
    { Ask: { ...ask, ...caught }, Caught },
    {
      async invoke(_name, event) {
        const { taskId, token } = event as Asked;
        if (taskId === 'fails') throw new RangeError('no');
        setTimeout(() => {
          const command = new SendTaskSuccessCommand({ taskToken: token, output: '"reported"' });
          sfn.send(command).catch(() => undefined);
        }, 20);
        return 'ignored';
      },
    },
  );
  expect(outputOf(await ended(await start({ taskId: 'works' })))).toMatchObject({ outcome: 'reported' });
  expect(outputOf(await ended(await start({ taskId: 'fails' })))).toMatchObject({ error: { Error: 'RangeError' } });
});

it('the local state machine uses the name and cause of a reported failure, or States.TaskFailed without a name', async () => {
  const { start, ended, sfn } = await subject(
    { Ask: { ...ask, ...caught }, Caught },
    {
      async invoke(_name, event) {
        const { taskId, token } = event as Asked;
        const named = taskId === 'named' ? { error: 'StillRunning', cause: 'ask later' } : {};
        await sfn.send(new SendTaskFailureCommand({ taskToken: token, ...named }));
      },
    },
  );
  expect(outputOf(await ended(await start({ taskId: 'named' })))).toMatchObject({
    error: { Error: 'StillRunning', Cause: 'ask later' },
  });
  expect(outputOf(await ended(await start({ taskId: 'unnamed' })))).toMatchObject({
    error: { Error: 'States.TaskFailed' },
  });
});

it('the local state machine retries with a new task token as often and as late as configured, and then follows the Catch', async () => {
  const tokens: string[] = [];
  const { start, ended, sfn } = await subject(
    {
      Ask: {
        ...patient,
        ...caught,
        Retry: [
          { ErrorEquals: ['StillRunning'], IntervalSeconds: 10, BackoffRate: 1.5, MaxDelaySeconds: 15, MaxAttempts: 6 },
        ],
      },
      Caught,
    },
    {
      pace: 0.001,
      async invoke(_name, event) {
        const { token } = event as Asked;
        tokens.push(token);
        await sfn.send(new SendTaskFailureCommand({ taskToken: token, error: 'StillRunning' }));
      },
    },
  );
  await ended(await start({ taskId: 'a' }));
  expect(tokens).toHaveLength(7);
  expect(new Set(tokens).size).toBe(7);
});

it('the local state machine fails a state without a report with States.Timeout, which States.TaskFailed does not match', async () => {
  const calls: string[] = [];
  const { start, ended, sfn } = await subject(
    {
      Ask: {
        ...ask,
        ...caught,
        Retry: [
          { ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 1, MaxAttempts: 50 },
          { ErrorEquals: ['States.Timeout'], IntervalSeconds: 1, MaxAttempts: 2 },
        ],
      },
      Caught,
    },
    {
      pace: 0.001,
      invoke: async (_name, event) => calls.push((event as Asked).token),
    },
  );
  const executionArn = await start({ taskId: 'a' });
  expect(outputOf(await ended(executionArn))).toMatchObject({ error: { Error: 'States.Timeout' } });
  expect(calls).toHaveLength(3);
  for (const taskToken of calls)
    await expect(sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }))).rejects.toMatchObject({
      name: 'TaskTimedOut',
    });
  const { events } = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.filter(({ type }) => type === 'TaskTimedOut')).toHaveLength(3);
});

it('the local state machine stops waiting for a function that exceeds its state’s timeout', async () => {
  const { start, ended } = await subject({ Work: { ...work, ...caught }, Caught }, { pace: 0.0005 });
  expect(outputOf(await ended(await start()))).toMatchObject({ error: { Error: 'States.Timeout' } });
});

it('the local state machine has separate scales for timeouts and waits, so that shortened waits cause no timeouts', async () => {
  const text = JSON.stringify({ StartAt: 'Ask', States: { Ask: { ...ask, End: true } } });
  const timeoutMsOf = (pace: Pace) => readMachine(text, pace).tasks.get('Ask')?.timeoutMs;
  expect(timeoutMsOf({})).toBe(60_000);
  expect(timeoutMsOf({ pace: 0.5 })).toBe(30_000);
  expect(timeoutMsOf({ pace: 0.001, timeoutPace: 2 })).toBe(120_000);
  // At the pace of its waits, the state would time out after hours.
  const { start, ended } = await subject({ Ask: { ...ask, ...caught }, Caught }, { pace: 1000, timeoutPace: 0.001 });
  expect(outputOf(await ended(await start({ taskId: 'a' })))).toMatchObject({ error: { Error: 'States.Timeout' } });
});

it('the local state machine shortens waits, but does not change a payload that looks like a wait', async () => {
  const calls: unknown[] = [];
  const { start, ended } = await subject(
    {
      Wait: { Type: 'Wait', Seconds: 30, Next: 'Work' },
      Work: { ...work, Parameters: { FunctionName: 'work', Payload: { Seconds: 30 } }, End: true },
    },
    { pace: 0.001, invoke: async (_name, event) => calls.push(event) },
  );
  await ended(await start());
  expect(calls).toStrictEqual([{ Seconds: 30 }]);
});

it('the local state machine processes the items of a Map state, each with its own task token', async () => {
  const { start, ended, sfn } = await subject(
    {
      Each: {
        Type: 'Map',
        ItemsPath: '$.items',
        ItemProcessor: { StartAt: 'Ask', States: { Ask: { ...ask, ...caught }, Caught } },
        End: true,
      },
    },
    {
      async invoke(_name, event) {
        const { taskId, token } = event as Asked;
        if (taskId === 'b') throw new TypeError('no');
        await sfn.send(new SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify(`made ${taskId}`) }));
      },
    },
  );
  const items = ['a', 'b', 'c'].map((taskId) => ({ taskId }));
  expect(outputOf(await ended(await start({ items })))).toMatchObject([
    { taskId: 'a', outcome: 'made a' },
    { taskId: 'b', error: { Error: 'TypeError' } },
    { taskId: 'c', outcome: 'made c' },
  ]);
});

it.each([
  ['SUCCEEDED', { End: { Type: 'Succeed' } }, { output: '{}', error: null, cause: null }],
  ['FAILED', { End: { Type: 'Fail', Error: 'Broken', Cause: 'why' } }, { error: 'Broken', cause: 'why', output: null }],
])(
  'the local state machine reports an execution that ended as %s once, like EventBridge',
  async (status, states, detail) => {
    const { start, ended, statusEvents, machines } = await subject(states);
    const executionArn = await start({}, { name: 'one' });
    await ended(executionArn);
    expect(statusEvents).toHaveLength(1);
    expect(statusEvents[0]).toMatchObject({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [executionArn],
      detail: {
        status,
        name: 'one',
        executionArn,
        stateMachineArn: machines.stateMachineArn('subject'),
        input: '{}',
        ...detail,
      },
    });
  },
);

it('when the local state machine reports the end of an execution, it has recorded all of the execution’s states', async () => {
  const recorded: unknown[] = [];
  const states = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`S${index}`, { Type: 'Pass', Next: `S${index + 1}` }]),
  );
  const { start, machines } = await subject(
    { ...states, S9: { Type: 'Succeed' } },
    { onStatusChange: () => recorded.push(machines.executions()[0]?.statesEntered.length) },
  );
  await start();
  await vi.waitFor(() => expect(recorded).toStrictEqual([10]), 120_000);
});

it('the local state machine ends an execution that exceeds its time limit as TIMED_OUT', async () => {
  const definition = { StartAt: 'Ask', TimeoutSeconds: 30, States: { Ask: { ...ask, End: true } } };
  const { start, ended, statusEvents } = await subject(
    {},
    { definitions: { subject: JSON.stringify(definition) }, pace: 0.001 },
  );
  expect(await ended(await start({ taskId: 'a' }))).toMatchObject({ status: 'TIMED_OUT' });
  expect(statusEvents.map(({ detail }) => detail.status)).toStrictEqual(['TIMED_OUT']);
});

it('stopping a local execution records the given reason, closes its task token and calls no further function', async () => {
  const tokens: string[] = [];
  const { start, sfn, ended, statusEvents } = await subject(
    { Ask: { ...patient, Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 9 }], End: true } },
    { pace: 0.001, invoke: async (_name, event) => tokens.push((event as Asked).token) },
  );
  const executionArn = await start({ taskId: 'a' });
  await vi.waitFor(() => expect(tokens).toHaveLength(1), 120_000);
  await sfn.send(new StopExecutionCommand({ executionArn, error: 'Canceled', cause: 'by its owner' }));
  expect(await ended(executionArn)).toMatchObject({ status: 'ABORTED', error: 'Canceled', cause: 'by its owner' });
  await expect(sfn.send(new SendTaskSuccessCommand({ taskToken: tokens[0], output: '1' }))).rejects.toMatchObject({
    name: 'TaskTimedOut',
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(tokens).toHaveLength(1);
  expect(statusEvents.map(({ detail }) => detail.status)).toStrictEqual(['ABORTED']);
});
