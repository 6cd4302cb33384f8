/** All executions of this process, with unique names; only a limited number of ended ones is kept. */
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { parseJson } from '../json.ts';
import { localArn } from '../local-arn.ts';
import { type Execution, type ExecutionEnd, startExecution } from './execution.ts';
import type { Machine } from './state-machine-definition.ts';
import { StateMachineError, type StateMachineErrorName } from './state-machine-error.ts';
import type { TaskAttempts } from './task-attempts.ts';

export interface Executions {
  /** Starts an execution, or returns the running one with the same name and input. @throws StateMachineError */
  start(request: { stateMachineArn: string; name?: string | undefined; input?: string | undefined }): Execution;
  /** Finds an execution. @throws ExecutionDoesNotExist */
  find(executionArn: string): Execution;
  /** All executions, oldest first. */
  all(): Execution[];
  stopAll(): void;
}

const keptEnded = 10_000;
const forbiddenInNames = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u;

export const stateMachineArn = (name: string): string => localArn('states', `stateMachine:${name}`);

export function executions(
  machines: ReadonlyMap<string, Machine>,
  newAttempts: () => TaskAttempts,
  onEnd: (execution: Execution, end: ExecutionEnd) => void,
): Executions {
  const ids = randomIds(systemClock);
  const byArn = new Map<string, Execution>();
  const ended = new Set<string>();

  const finished = (execution: Execution, end: ExecutionEnd): void => {
    ended.add(execution.executionArn);
    const [oldest] = ended;
    if (ended.size > keptEnded && oldest !== undefined) {
      ended.delete(oldest);
      byArn.delete(oldest);
    }
    onEnd(execution, end);
  };

  return {
    start({ stateMachineArn, name = ids.next(), input = '{}' }) {
      const machine = machines.get(stateMachineArn) ?? reject('StateMachineDoesNotExist', stateMachineArn);
      if (name.length < 1 || name.length > 80 || forbiddenInNames.test(name)) reject('InvalidName', name);
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      const namesake = byArn.get(executionArn);
      if (namesake && !namesake.end && namesake.input === input) return namesake;
      if (namesake) reject('ExecutionAlreadyExists', executionArn);
      if (!isJson(input)) reject('InvalidExecutionInput', input);
      const identity = { executionArn, stateMachineArn, name, input };
      const execution = startExecution(identity, machine, newAttempts(), finished);
      byArn.set(executionArn, execution);
      return execution;
    },
    find: (executionArn) => byArn.get(executionArn) ?? reject('ExecutionDoesNotExist', executionArn),
    all: () => [...byArn.values()],
    stopAll() {
      for (const execution of byArn.values()) execution.stop();
    },
  };
}

function reject(name: StateMachineErrorName, subject: string): never {
  throw new StateMachineError(name, `${name}: '${subject}'`);
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
