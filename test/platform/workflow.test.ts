/** Starting executions by name, as Step Functions answers to it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { type AwsJsonEndpoint, awsJsonEndpoint, type Parameters } from '../support/aws-json-endpoint.ts';

const machine = 'arn:aws:states:us-east-1:123456789012:stateMachine:generate';

let endpoint: AwsJsonEndpoint;
let asked: [operation: string, parameters: Parameters][];
let status: string | undefined;

beforeAll(async () => {
  endpoint = await awsJsonEndpoint((operation, parameters) => {
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
});
afterAll(() => endpoint.close());
beforeEach(() => {
  [asked, status] = [[], undefined];
});

const workflow = (arn: string) => stepFunctions({ settings: settingsOf({ [settingVariables.stateMachineArn]: arn }) });

test.each([machine, `${machine}:live`])(
  'what was started before through %s is looked up by the machine’s name',
  async (arn) => {
    expect(await workflow(arn).start('task-1', { taskId: 'task-1' })).toBe('running');
    expect(asked).toEqual([['StartExecution', { stateMachineArn: arn, name: 'task-1', input: '{"taskId":"task-1"}' }]]);
    for (status of ['RUNNING', 'SUCCEEDED', 'FAILED']) {
      expect(await workflow(arn).start('task-1', {})).toBe(status === 'RUNNING' ? 'running' : 'ended');
      const executionArn = 'arn:aws:states:us-east-1:123456789012:execution:generate:task-1';
      expect(asked.at(-1)).toEqual(['DescribeExecution', { executionArn }]);
    }
  },
);
