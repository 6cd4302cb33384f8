/** Step Functions of a run: executions are recorded, and advance when a command requests it. */

export type StepOutcome = { readonly status: string } | { readonly Error: string };

export interface Execution {
  /** The id of the task. */
  readonly name: string;
  readonly input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** The current task token; a report with an earlier token comes too late. */
  token?: string;
  /** The outcome that polls have reported; the next step passes it on. */
  outcome?: StepOutcome;
  /** The number of failures of the current state. */
  failures: number;
}

export interface ScriptedResponse {
  readonly status: number;
  readonly body: object;
}

export interface ScriptedWorkflow {
  /** The executions, oldest first. */
  readonly executions: readonly Execution[];
  of(taskId: string): Execution | undefined;
  /** Removes an execution, as if it had never been started. */
  forget(taskId: string): void;
  /** Issues a new token; the previous one has timed out. */
  issueToken(execution: Execution): string;
  /** Retries a failed state, according to the state machine's Retry. */
  fail(execution: Execution, error: string): void;
  respond(operation: string, body: Record<string, string>): ScriptedResponse;
}

const ok = (body: object): ScriptedResponse => ({ status: 200, body });
const rejection = (name: string): ScriptedResponse => ({ status: 400, body: { __type: name, message: name } });

const arnOf = (name: string): string => `arn:aws:states:us-east-1:000000000000:execution:generate:${name}`;

/** How often a state is retried before its error counts. */
const retries = 4;

export function scriptedWorkflow(): ScriptedWorkflow {
  const executions = new Map<string, Execution>();
  let tokens = 0;
  const holderOf = (token: string | undefined) =>
    [...executions.values()].find((execution) => execution.token === token && execution.status === 'RUNNING');

  function start({ name = '', input = '' }: Record<string, string>): ScriptedResponse {
    const known = executions.get(name);
    if (known && (known.status !== 'RUNNING' || known.input !== input)) return rejection('ExecutionAlreadyExists');
    if (!known) executions.set(name, { name, input, status: 'RUNNING', failures: 0 });
    return ok({ executionArn: arnOf(name), startDate: 0 });
  }

  function describe({ executionArn = '' }: Record<string, string>): ScriptedResponse {
    const execution = executions.get(executionArn.split(':').at(-1) ?? '');
    if (!execution) return rejection('ExecutionDoesNotExist');
    return ok({ executionArn, stateMachineArn: executionArn, status: execution.status, startDate: 0 });
  }

  function succeed({ taskToken, output = '' }: Record<string, string>): ScriptedResponse {
    const execution = holderOf(taskToken);
    if (!execution) return rejection('TaskTimedOut');
    delete execution.token;
    Object.assign(execution, { outcome: JSON.parse(output) as StepOutcome, failures: 0 });
    return ok({});
  }

  function fail(execution: Execution, error: string): void {
    delete execution.token;
    if (error === 'StillRunning' || error === 'StillRunningBriefly') return;
    execution.failures += 1;
    if (execution.failures > retries) Object.assign(execution, { outcome: { Error: error }, failures: 0 });
  }

  const operations: Readonly<Record<string, (body: Record<string, string>) => ScriptedResponse>> = {
    StartExecution: start,
    DescribeExecution: describe,
    SendTaskSuccess: succeed,
    SendTaskFailure({ taskToken, error = '' }) {
      const execution = holderOf(taskToken);
      if (!execution) return rejection('TaskTimedOut');
      fail(execution, error);
      return ok({});
    },
  };

  return {
    get executions() {
      return [...executions.values()];
    },
    of: (taskId) => executions.get(taskId),
    forget(taskId) {
      executions.delete(taskId);
    },
    issueToken(execution) {
      tokens += 1;
      execution.token = `token-${tokens}`;
      return execution.token;
    },
    fail,
    respond: (operation, body) => operations[operation]?.(body) ?? rejection('UnknownOperationException'),
  };
}
