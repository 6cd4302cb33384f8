import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, expect, it } from 'vitest';
import { ask, closeSubjects, type Subject, subject } from './state-machine-subject.ts';

afterEach(closeSubjects);

it('an execution name is used once: a repeated start with the same input returns the running execution, or is rejected', async () => {
  const { start, sfn, ended } = await subject({ Ask: { ...ask, End: true } });
  const executionArn = await start({ taskId: 'a' }, { name: 'one' });
  expect(executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:subject:one');
  expect(await start({ taskId: 'a' }, { name: 'one' })).toBe(executionArn);
  await expect(start({ taskId: 'b' }, { name: 'one' })).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  await sfn.send(new StopExecutionCommand({ executionArn }));
  await ended(executionArn);
  await expect(start({ taskId: 'a' }, { name: 'one' })).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

it('the local state machine gives an execution a name if the start names none', async () => {
  const { start } = await subject({ Done: { Type: 'Succeed' } });
  expect(await start()).not.toBe(await start());
});

const missing = 'arn:aws:states:us-east-1:000000000000:execution:subject:missing';
const strangersToken = `${'0'.repeat(16)}.${'0'.repeat(64)}`;

it.each<[string, (given: Subject) => Promise<unknown>]>([
  ['StateMachineDoesNotExist', ({ start }) => start({}, { stateMachineArn: missing })],
  ['InvalidExecutionInput', ({ start }) => start({}, { input: '{' })],
  ['InvalidName', ({ start }) => start({}, { name: 'a b' })],
  ['InvalidName', ({ start }) => start({}, { name: 'a'.repeat(81) })],
  ['ExecutionDoesNotExist', ({ sfn }) => sfn.send(new DescribeExecutionCommand({ executionArn: missing }))],
  ['ExecutionDoesNotExist', ({ sfn }) => sfn.send(new StopExecutionCommand({ executionArn: missing }))],
  ['ExecutionDoesNotExist', ({ sfn }) => sfn.send(new GetExecutionHistoryCommand({ executionArn: missing }))],
  ['InvalidToken', ({ sfn }) => sfn.send(new SendTaskSuccessCommand({ taskToken: 'nonsense', output: '{}' }))],
  ['InvalidToken', ({ sfn }) => sfn.send(new SendTaskFailureCommand({ taskToken: 'nonsense' }))],
  ['TaskDoesNotExist', ({ sfn }) => sfn.send(new SendTaskSuccessCommand({ taskToken: strangersToken, output: '{}' }))],
  ['InvalidOutput', ({ sfn }) => sfn.send(new SendTaskSuccessCommand({ taskToken: strangersToken, output: '{' }))],
])(
  'the local state machine rejects an invalid request with %s, the error name that AWS uses',
  async (name, request) => {
    const given = await subject({ Done: { Type: 'Succeed' } });
    await expect(request(given)).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
  },
);

it.each([
  ['UnknownOperationException', 'AWSStepFunctions.Dance', '{}'],
  ['SerializationException', 'AWSStepFunctions.StartExecution', '{'],
  ['ValidationException', 'AWSStepFunctions.StartExecution', '[]'],
])('the local state machine rejects a malformed request with %s', async (type, target, body) => {
  const { machines } = await subject({ Done: { Type: 'Succeed' } });
  const response = await fetch(machines.url, { method: 'POST', headers: { 'X-Amz-Target': target }, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ __type: type });
});

it('the local state machine does not start if its definition has an unsupported resource, and names the resource', async () => {
  const Work = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', End: true };
  await expect(subject({ Work })).rejects.toThrow(
    'State machine "subject", state "Work": the resource arn:aws:states:::sns:publish is not supported locally.',
  );
});
