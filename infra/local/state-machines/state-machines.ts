/** Step Functions in this process, called through the SDK's own client. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { timestamp } from '../../../shared/platform/clock.ts';
import type { Invoke } from '../lambda-host.ts';
import { localAccountId, localRegion } from '../local-arn.ts';
import type { Execution, ExecutionEnd, ExecutionStatus } from './execution.ts';
import { executions, stateMachineArn } from './executions.ts';
import { type Machine, type Pace, readMachine } from './state-machine-definition.ts';
import { stepFunctionsEndpoint } from './step-functions-endpoint.ts';
import { stepFunctionsOperations } from './step-functions-operations.ts';
import { taskAttempts, tokenSuffix } from './task-attempts.ts';
import { type TaskIntegration, taskIntegrations } from './task-integrations.ts';
import { taskTokens } from './task-tokens.ts';

export interface StateMachines {
  readonly url: string;
  stateMachineArn(name: string): string;
  /** The running executions and the latest ended ones, oldest first. */
  executions(): readonly ExecutionSummary[];
  /** Aborts every execution without status events, and clears all timers. */
  close(): Promise<void>;
}

export interface ExecutionSummary {
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly statesEntered: readonly string[];
}

export interface StateMachinesOptions extends Pace {
  /** Definitions in ASL by name, with placeholders filled in. Only JSONPath is supported. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly invoke: Invoke;
  /** Called with EventBridge's "Step Functions Execution Status Change" for every end; must not throw. */
  onStatusChange(event: unknown): void;
}

export async function startStateMachines(options: StateMachinesOptions): Promise<StateMachines> {
  const tokens = taskTokens();
  const integrations = taskIntegrations(options.invoke);
  const machines = new Map<string, Machine>();
  for (const [name, text] of Object.entries(options.definitions)) {
    const machine = readMachine(text, options);
    requireIntegrations(name, machine, integrations);
    machines.set(stateMachineArn(name), machine);
  }
  let closing = false;
  const running = executions(
    machines,
    () => taskAttempts(tokens, integrations),
    (execution, end) => {
      if (!closing) options.onStatusChange(statusChange(execution, end));
    },
  );
  const server = stepFunctionsEndpoint(stepFunctionsOperations(running, tokens)).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stateMachineArn,
    executions: () =>
      running.all().map(({ name, end, history }) => ({
        name,
        status: end?.status ?? 'RUNNING',
        statesEntered: history.statesEntered,
      })),
    async close() {
      if (closing) return;
      closing = true;
      running.stopAll();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Rejects unknown resources at once; otherwise only their first task would fail. */
function requireIntegrations(name: string, machine: Machine, known: ReadonlyMap<string, TaskIntegration>): void {
  for (const [stateName, { resource }] of machine.tasks)
    if (!known.has(resource.replace(tokenSuffix, '')))
      throw new Error(
        `State machine "${name}", state "${stateName}": the resource ${resource} is not supported locally.`,
      );
}

function statusChange(execution: Execution, end: ExecutionEnd): object {
  const { executionArn, stateMachineArn: machineArn, name, input, startedAt } = execution;
  return {
    version: '0',
    id: executionArn,
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: localAccountId,
    time: timestamp(end.stoppedAt),
    region: localRegion,
    resources: [executionArn],
    detail: {
      executionArn,
      stateMachineArn: machineArn,
      name,
      status: end.status,
      startDate: startedAt,
      stopDate: end.stoppedAt,
      input,
      output: end.output ?? null,
      error: end.error ?? null,
      cause: end.cause ?? null,
    },
  };
}
