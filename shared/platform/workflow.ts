/** How the service starts executions of its state machines and reports to those that wait. */
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
   * Starts an execution under a name, which is the lock: a running one is left running. `ended` when it has run
   * before, for a name cannot be used again.
   */
  start(workflow: string, name: string, input: object): Promise<'running' | 'ended'>;
  /** Reports to the execution that waits with the token; false when none does any more. */
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

/** A refusal to start that another try cannot change. */
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

/** Executions belong to the state machine, whichever alias started them: their ARNs name none. */
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
  const client = new SFNClient({ ...impatientClient, ...settings.aws('SFN') });
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
