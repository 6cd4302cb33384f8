/** One execution of a state machine, from start to end. */
import { ExecutionAbortedError, ExecutionTimeoutError } from 'aws-local-stepfunctions';
import { systemClock, timestamp } from '../../../shared/platform/clock.ts';
import { type Json, parseJson } from '../json.ts';
import { type ExecutionHistory, executionHistory } from './execution-history.ts';
import type { Machine } from './state-machine-definition.ts';
import type { TaskAttempts } from './task-attempts.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export interface ExecutionEnd {
  readonly status: Exclude<ExecutionStatus, 'RUNNING'>;
  /** The time at which the execution ended, in milliseconds since the epoch. */
  readonly stoppedAt: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

export interface ExecutionIdentity {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  /** The input as JSON text, exactly as received. */
  readonly input: string;
}

export interface Execution extends ExecutionIdentity {
  /** The time at which the execution started, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly history: ExecutionHistory;
  /** How the execution ended; undefined while it is running. */
  readonly end: ExecutionEnd | undefined;
  /** Stops the execution; does nothing if it has ended. */
  stop(error?: string, cause?: string): void;
}

type Run = ReturnType<Machine['interpreter']['run']>;

/** Starts an execution. `onEnd` is called once, when `end` is set. The input must be JSON text. */
export function startExecution(
  identity: ExecutionIdentity,
  machine: Machine,
  attempts: TaskAttempts,
  onEnd: (execution: Execution, end: ExecutionEnd) => void,
): Execution {
  const startedAt = systemClock.now();
  const history = executionHistory();
  let end: ExecutionEnd | undefined;
  let run: Run | undefined = runMachine(identity, machine, attempts, startedAt);

  const finish = (how: Omit<ExecutionEnd, 'stoppedAt'>): void => {
    if (end) return;
    end = { ...how, stoppedAt: systemClock.now() };
    attempts.abandon();
    run?.abort();
    run = undefined; // Releases the interpreter, so that an ended execution does not keep its memory.
    onEnd(execution, end);
  };
  const execution: Execution = {
    ...identity,
    startedAt,
    history,
    get end() {
      return end;
    },
    stop: (error, cause) =>
      finish({ status: 'ABORTED', ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) }),
  };
  void follow(run, history).then(finish);
  return execution;
}

function runMachine(identity: ExecutionIdentity, machine: Machine, attempts: TaskAttempts, startedAt: number): Run {
  const tasks = [...machine.tasks].map(
    ([name, task]) => [name, (parameters: Json) => attempts.run(task, parameters)] as const,
  );
  return machine.interpreter.run(parseJson(identity.input), {
    overrides: { taskResourceLocalHandlers: Object.fromEntries(tasks) },
    context: {
      Execution: { Id: identity.executionArn, Name: identity.name, StartTime: timestamp(startedAt) },
      StateMachine: { Id: identity.stateMachineArn, Name: identity.stateMachineArn.split(':').at(-1) },
      Task: {
        get Token() {
          return attempts.nextToken();
        },
      },
    },
  });
}

/** Resolves with the end of an execution that was not aborted, once its history is complete; never rejects. */
async function follow(run: Run, history: ExecutionHistory): Promise<Omit<ExecutionEnd, 'stoppedAt'>> {
  const result = run.result.then(
    (output) => ({ status: 'SUCCEEDED' as const, output: JSON.stringify(output) }),
    (error: unknown) => failedEnd(error),
  );
  await history.record(run.eventLogs);
  return result;
}

function failedEnd(error: unknown): Omit<ExecutionEnd, 'stoppedAt'> {
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  if (error instanceof ExecutionAbortedError) return { status: 'ABORTED' };
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return { status: 'FAILED', error: cause.name, cause: cause.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(error) };
}
