/** How the service starts executions of its state machine and reports to those that wait. */
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
import { impatientClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Workflow {
  /**
   * Starts an execution under a name, which is the lock: one that runs is left running. `ended` when it has run
   * before, for a name can not be used again.
   */
  start(name: string, input: object): Promise<'running' | 'ended'>;
  /** Reports to whoever waits with the token; false when nobody does any more. */
  succeed(token: string, output: object): Promise<boolean>;
  /** As {@link Workflow.succeed}; the state machine's Retry goes by the error's name. */
  fail(token: string, error: string): Promise<boolean>;
}

/** A token whose state has been left: reported twice, too late, or by a copy. */
const isLate = (error: unknown): boolean =>
  error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;

const definitive = new Set([
  'InvalidArn',
  'InvalidExecutionInput',
  'InvalidName',
  'StateMachineDeleting',
  'StateMachineDoesNotExist',
]);

/** A refusal to start that trying again can not change. */
export const isDefinitiveRefusal = (error: unknown): boolean => error instanceof Error && definitive.has(error.name);

const unlessLate = async (report: Promise<unknown>): Promise<boolean> => {
  try {
    await report;
    return true;
  } catch (error) {
    if (isLate(error)) return false;
    throw error;
  }
};

/** Executions belong to the state machine, by whichever alias they were started: theirs name none. */
function executionArn(stateMachineArn: string, name: string): string {
  const [arn, partition, states, region, account, , machine] = stateMachineArn.split(':');
  return [arn, partition, states, region, account, 'execution', machine, name].join(':');
}

export function stepFunctions({ settings }: { readonly settings: Settings }): Workflow {
  const client = new SFNClient({ ...impatientClient, ...settings.aws('SFN') });
  return {
    async start(name, input) {
      const { stateMachineArn } = settings;
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
