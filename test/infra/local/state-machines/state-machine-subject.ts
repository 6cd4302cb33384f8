/** A state machine in this process with the SDK's own client, for tests. */
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  SFNClient,
  StartExecutionCommand,
  type StartExecutionCommandInput,
} from '@aws-sdk/client-sfn';
import { expect, vi } from 'vitest';
import {
  type StateMachines,
  type StateMachinesOptions,
  startStateMachines,
} from '../../../../infra/local/state-machines/state-machines.ts';

export interface Subject {
  readonly machines: StateMachines;
  readonly sfn: SFNClient;
  readonly statusEvents: readonly { detail: Record<string, unknown> }[];
  readonly start: (input?: object, more?: Partial<StartExecutionCommandInput>) => Promise<string>;
  readonly ended: (executionArn: string) => Promise<DescribeExecutionCommandOutput>;
}

const cleanUp: (() => Promise<void>)[] = [];

/** Must be called after each test. */
export async function closeSubjects(): Promise<void> {
  await Promise.all(cleanUp.splice(0).map((close) => close()));
}

const never = new Promise<never>(() => undefined);

/** A machine named `subject` with the given states; it starts with the first one. */
export async function subject(
  states: Record<string, object>,
  options: Partial<StateMachinesOptions> = {},
): Promise<Subject> {
  const statusEvents: { detail: Record<string, unknown> }[] = [];
  const machines = await startStateMachines({
    definitions: { subject: JSON.stringify({ StartAt: Object.keys(states)[0], States: states }) },
    invoke: () => never,
    onStatusChange: (event) => statusEvents.push(event as (typeof statusEvents)[number]),
    ...options,
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sfn = new SFNClient({ endpoint: machines.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  cleanUp.push(async () => {
    sfn.destroy();
    await machines.close();
  });
  const describe = (executionArn: string) => sfn.send(new DescribeExecutionCommand({ executionArn }));
  return {
    machines,
    sfn,
    statusEvents,
    async start(input = {}, more = {}) {
      const stateMachineArn = machines.stateMachineArn('subject');
      const command = new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input), ...more });
      return (await sfn.send(command)).executionArn ?? '';
    },
    async ended(executionArn) {
      await vi.waitFor(async () => expect((await describe(executionArn)).status).not.toBe('RUNNING'), 120_000);
      return describe(executionArn);
    },
  };
}

export const outputOf = (execution: DescribeExecutionCommandOutput): unknown => JSON.parse(execution.output ?? 'null');

/** Calls the function `ask` and waits for its token; `$.outcome` becomes the reported result. */
export const ask = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  TimeoutSeconds: 60,
  Parameters: { FunctionName: 'ask', Payload: { 'taskId.$': '$.taskId', 'token.$': '$$.Task.Token' } },
  ResultPath: '$.outcome',
};

/** The input of the function `ask`. */
export interface Asked {
  readonly taskId: string;
  readonly token: string;
}

/** Calls the function `work` with its input. */
export const work = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  TimeoutSeconds: 60,
  Parameters: { FunctionName: 'work', 'Payload.$': '$' },
};

/** Catches every failure of a state at `$.error`, in the state `Caught`. */
export const caught = { Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Caught' }], End: true };
export const Caught = { Type: 'Pass', End: true };
