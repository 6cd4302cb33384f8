/** Starts executions of state machines, and reports results to executions that wait for them. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { shortTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Workflow {
  /**
   * Starts an execution. The name acts as a lock: if it is running, nothing happens; `ended` if it has already run,
   * because names cannot be reused.
   */
  start(workflow: string, name: string, input: object): Promise<'running' | 'ended'>;
  /** Reports a result to the execution that waits with this token; false if none is waiting any more. */
  succeed(token: string, output: object): Promise<boolean>;
  /** Like {@link Workflow.succeed}; the state machine's Retry matches on the error's name. */
  fail(token: string, error: string): Promise<boolean>;
}

/** Whether an error means that the token's state has ended: the report is late or a duplicate. */
const isLate = (error: unknown): boolean =>
  error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;

const definitive = new Set([
  'InvalidArn',
  'InvalidExecutionInput',
  'InvalidName',
  'StateMachineDeleting',
  'StateMachineDoesNotExist',
]);

/** Whether a start was rejected for a reason that a retry cannot change. */
export const isDefinitiveRejection = (error: unknown): boolean => error instanceof Error && definitive.has(error.name);

const unlessLate = async (report: Promise<unknown>): Promise<boolean> => {
  try {
    await report;
    return true;
  } catch (error) {
    if (isLate(error)) return false;
    throw error;
  }
};

/** Executions belong to the state machine, not to the alias that started them, so their ARNs contain no alias. */
function executionArn(stateMachineArn: string, name: string): string {
  const [arn, partition, states, region, account, , machine] = stateMachineArn.split(':');
  return [arn, partition, states, region, account, 'execution', machine, name].join(':');
}

function arnOf({ stateMachineArns }: Settings, workflow: string): string {
  const entries = stateMachineArns.split(',').map((entry) => entry.split('=', 2));
  const [, arn] = entries.find(([name]) => name === workflow) ?? [];
  if (!arn) throw new Error(`no state machine is configured for the workflow ${workflow}`);
  return arn;
}

export function stepFunctions({ settings }: { readonly settings: Settings }): Workflow {
  const client = new SFNClient({ ...shortTimeoutClient, ...settings.aws('SFN') });
  return {
    async start(workflow, name, input) {
      const stateMachineArn = arnOf(settings, workflow);
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return 'running';
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
        const found = await client.send(
          new DescribeExecutionCommand({ executionArn: executionArn(stateMachineArn, name) }),
        );
        return found.status === 'RUNNING' ? 'running' : 'ended';
      }
    },
    succeed: (token, output) =>
      unlessLate(client.send(new SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify(output) }))),
    fail: (token, error) => unlessLate(client.send(new SendTaskFailureCommand({ taskToken: token, error }))),
  };
}
