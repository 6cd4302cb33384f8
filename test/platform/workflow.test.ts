/** Starting executions by name, and Step Functions' responses. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { awsJsonEndpoint, type Parameters } from '../support/aws-json-endpoint.ts';

const other = 'arn:aws:states:us-east-1:123456789012:stateMachine:cut-clips';
const machine = 'arn:aws:states:us-east-1:123456789012:stateMachine:generate';

let asked: [operation: string, parameters: Parameters][];
let status: string | undefined;

const endpoint = await awsJsonEndpoint((operation, parameters) => {
  asked.push([operation, parameters]);
  if (operation === 'DescribeExecution') return { status };
  return status ? { __type: 'ExecutionAlreadyExists' } : { executionArn: 'arn' };
});
Object.assign(process.env, {
  AWS_ENDPOINT_URL_SFN: endpoint.url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});
afterAll(() => endpoint.close());
beforeEach(() => {
  [asked, status] = [[], undefined];
});

const workflow = (arn: string) =>
  stepFunctions({
    settings: settingsOf({ [settingVariables.stateMachineArns]: `cut-clips=${other},generate=${arn}` }),
  });

test.for([
  ['ARN', machine],
  ['alias', `${machine}:live`],
] as const)(
  'an execution that was started through the %s of a state machine is found by the state machine’s name',
  async ([, arn]) => {
    expect(await workflow(arn).start('generate', 'task-1', { taskId: 'task-1' })).toBe('running');
    expect(asked).toEqual([['StartExecution', { stateMachineArn: arn, name: 'task-1', input: '{"taskId":"task-1"}' }]]);
    for (status of ['RUNNING', 'SUCCEEDED', 'FAILED']) {
      expect(await workflow(arn).start('generate', 'task-1', { taskId: 'task-1' })).toBe(
        status === 'RUNNING' ? 'running' : 'ended',
      );
      const executionArn = 'arn:aws:states:us-east-1:123456789012:execution:generate:task-1';
      expect(asked.at(-1)).toEqual(['DescribeExecution', { executionArn }]);
    }
  },
);

test('a workflow without a state machine is not started', async () => {
  const unconfigured = stepFunctions({
    settings: settingsOf({ [settingVariables.stateMachineArns]: `cut-clips=${other}` }),
  });
  await expect(unconfigured.start('generate', 'task-1', { taskId: 'task-1' })).rejects.toThrow('generate');
  expect(asked).toEqual([]);
});
