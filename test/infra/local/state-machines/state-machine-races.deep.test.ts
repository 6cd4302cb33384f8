import { setTimeout as sleep } from 'node:timers/promises';
import { SendTaskFailureCommand, SendTaskSuccessCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { afterEach, expect, it, vi } from 'vitest';
import { type Asked, ask, Caught, caught, closeSubjects, outputOf, subject } from './state-machine-subject.ts';

afterEach(closeSubjects);

const succeed = (sfn: SFNClient, taskToken: string, output: unknown) =>
  sfn.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }));
const fail = (sfn: SFNClient, taskToken: string, error: string) =>
  sfn.send(new SendTaskFailureCommand({ taskToken, error }));

const finalize = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  TimeoutSeconds: 300,
  Parameters: { FunctionName: 'finalize', Payload: { 'taskId.$': '$.taskId', 'outcome.$': '$.outcome' } },
  ResultPath: null,
  End: true,
};

it('the local state machine ends each of 300 executions with the reported outcome or, without a report, with a timeout', async () => {
  const asked = new Map<string, number>();
  const finalized = new Map<string, unknown>();
  const late: Promise<unknown>[] = [];
  const asking = {
    ...ask,
    Retry: [{ ErrorEquals: ['States.Timeout'], IntervalSeconds: 1, BackoffRate: 1, MaxAttempts: 1 }],
    Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.outcome', Next: 'Finalize' }],
    Next: 'Finalize',
  };
  const { start, sfn, statusEvents } = await subject(
    {
      Choose: {
        Type: 'Choice',
        Choices: [{ Variable: '$.taskId', StringMatches: 'never*', Next: 'Ask' }],
        Default: 'AskPatiently',
      },
      Ask: asking,
      // Only a silent task may time out, however slow the machine is.
      AskPatiently: { ...asking, TimeoutSeconds: 60_000 },
      Finalize: finalize,
    },
    {
      pace: 0.03,
      async invoke(name, event) {
        if (name === 'finalize') {
          const { taskId, outcome } = event as { taskId: string; outcome: unknown };
          expect(finalized.has(taskId)).toBe(false);
          finalized.set(taskId, outcome);
          return;
        }
        const { taskId, token } = event as Asked;
        asked.set(taskId, (asked.get(taskId) ?? 0) + 1);
        if (taskId.startsWith('before')) await succeed(sfn, token, { made: taskId });
        if (taskId.startsWith('after')) late.push(sleep(20).then(() => succeed(sfn, token, { made: taskId })));
      },
    },
  );
  const taskIds = Array.from({ length: 300 }, (_, index) => `${['before', 'after', 'never'][index % 3]}-${index}`);
  await Promise.all(taskIds.map((taskId) => start({ taskId }, { name: taskId })));
  await vi.waitFor(() => expect(statusEvents).toHaveLength(300), 120_000);
  await Promise.all(late);
  expect(statusEvents.every(({ detail }) => detail.status === 'SUCCEEDED')).toBe(true);
  for (const taskId of taskIds) {
    const isSilent = taskId.startsWith('never');
    expect(asked.get(taskId)).toBe(isSilent ? 2 : 1);
    expect(finalized.get(taskId)).toMatchObject(isSilent ? { Error: 'States.Timeout' } : { made: taskId });
  }
});

it('the local state machine accepts and applies the first of many reports for a task token, and rejects the others', async () => {
  const accepted = new Map<string, string>();
  const rejected: string[] = [];
  const { start, ended, sfn } = await subject(
    { Ask: { ...ask, ...caught }, Caught },
    {
      async invoke(_name, event) {
        const { taskId, token } = event as Asked;
        const reports = ['w', 'x', 'y', 'z'].map(async (report, index) => {
          try {
            await (index % 2 === 0 ? succeed(sfn, token, report) : fail(sfn, token, report));
            expect(accepted.has(taskId)).toBe(false);
            accepted.set(taskId, report);
          } catch (error) {
            rejected.push(error instanceof Error ? error.name : '');
          }
        });
        await Promise.all(reports);
      },
    },
  );
  const taskIds = Array.from({ length: 50 }, (_, index) => `task-${index}`);
  const executionArns = await Promise.all(taskIds.map((taskId) => start({ taskId })));
  await vi.waitFor(() => expect(accepted.size + rejected.length).toBe(200), 120_000);
  expect(accepted.size).toBe(50);
  expect(new Set(rejected)).toStrictEqual(new Set(['TaskTimedOut']));
  for (const [index, executionArn] of executionArns.entries()) {
    const { outcome, error } = outputOf(await ended(executionArn)) as { outcome?: string; error?: { Error: string } };
    expect(outcome ?? error?.Error).toBe(accepted.get(taskIds[index] ?? ''));
  }
});

it('the local state machine applies every report that it accepts, even at the moment of the timeout', async () => {
  const accepted = new Set<string>();
  const { start, ended, sfn } = await subject(
    // The execution waits after a timeout, so that a late report is rejected because its token timed out. The end of
    // the execution would invalidate the token as well.
    { Ask: { ...ask, ...caught }, Caught: { Type: 'Wait', Seconds: 60, End: true } },
    {
      pace: 0.001, // At this pace, the task's timeout of 60 s becomes 60 ms.
      async invoke(_name, event) {
        const { taskId, token } = event as Asked;
        await sleep(50 + (Number(taskId) % 20));
        await succeed(sfn, token, 'reported').then(
          () => accepted.add(taskId),
          () => undefined,
        );
      },
    },
  );
  const taskIds = Array.from({ length: 200 }, (_, index) => String(index));
  const executionArns = await Promise.all(taskIds.map((taskId) => start({ taskId })));
  const results = await Promise.all(executionArns.map(async (executionArn) => outputOf(await ended(executionArn))));
  await vi.waitFor(() => {
    for (const [index, result] of results.entries()) {
      const took = accepted.has(taskIds[index] ?? '');
      expect(result).toMatchObject(took ? { outcome: 'reported' } : { error: { Error: 'States.Timeout' } });
    }
  }, 120_000);
});

it('the local state machine rejects a report for the task token of a timed-out attempt while the next attempt waits', async () => {
  const tokens: string[] = [];
  const rejections: unknown[] = [];
  // On a slow machine the report may be too late more than once.
  const retry = { ErrorEquals: ['States.Timeout'], IntervalSeconds: 1, MaxAttempts: 500 };
  const { start, ended, sfn } = await subject(
    { Ask: { ...ask, Retry: [retry], End: true } },
    {
      pace: 0.002,
      async invoke(_name, event) {
        const { token } = event as Asked;
        if (tokens.push(token) < 3) return;
        for (const old of tokens.slice(0, 2))
          await succeed(sfn, old, 'old').catch((error: unknown) =>
            rejections.push(error instanceof Error && error.name),
          );
        await succeed(sfn, token, 'new');
      },
    },
  );
  expect(outputOf(await ended(await start({ taskId: 'a' })))).toMatchObject({ outcome: 'new' });
  expect(rejections.slice(0, 2)).toStrictEqual(['TaskTimedOut', 'TaskTimedOut']);
});
