/** The commands that switch task types, and operations that create no tasks, on and off. */
import { generationOf } from '../../shared/contracts/generate.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { isTaskType, taskTypes } from '../../shared/contracts/task-types.ts';
import { switchesRow } from '../../shared/domain/catalog/switches-row.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, required } from './command.ts';
import { oneOf } from './value-kinds.ts';

/** Operations without a task type that declare an error for when they are switched off. */
const otherOperations = Object.values<OperationContract>(registry)
  .filter((contract) => !('taskType' in contract) && contract.whenSwitchedOff)
  .map(({ operationId }) => operationId);

const switchable = [...taskTypes, ...otherOperations];

const operationOf = (name: string): string => (isTaskType(name) ? generationOf(name).operationId : name);

/** How a command line names an operation. */
export const switchNameOf = (operationId: string): string =>
  taskTypes.find((type) => generationOf(type).operationId === operationId) ?? operationId;

const show = command({
  name: 'show',
  summary: 'Show which task types and operations are on, and which are off.',
  async run(_values, { catalog }) {
    const off = await catalog.read(switchesRow);
    return { switches: switchable.map((name) => ({ name, state: off.has(operationOf(name)) ? 'off' : 'on' })) };
  },
  rows: ({ switches }) => switches,
});

const set = command({
  name: 'set',
  summary: `Switch a task type on or off, effective within ${effectiveWithinSeconds} seconds; while off, its requests are rejected with 503.`,
  operands: {
    type: required(oneOf('TYPE', switchable), 'The task type, or an operation that creates no tasks.'),
    state: required(oneOf('on|off', ['on', 'off']), 'The new state.'),
  },
  async run({ type, state }, { catalog }) {
    const operation = operationOf(type);
    await catalog.switchOperation(operation, state === 'on');
    return { type, operation, state, effectiveWithinSeconds };
  },
  print: ({ type, state }) => `${type} will be ${state} within ${effectiveWithinSeconds} seconds.`,
});

export const switchCommands: readonly Command[] = [show, set];
