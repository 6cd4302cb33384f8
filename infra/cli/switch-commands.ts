/** The commands that switch operations on and off. */
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, required } from './command.ts';
import { oneOf } from './value-kinds.ts';

/** The operations that can be switched off: generations, and others that declare an error for it. */
const switchable = Object.values<OperationContract>(registry)
  .filter((contract) => 'taskType' in contract || contract.whenSwitchedOff)
  .map(({ operationId }) => operationId);

const set = command({
  name: 'set',
  summary: `Switch an operation on or off, effective within ${effectiveWithinSeconds} seconds; while off, it responds with 503.`,
  operands: {
    operation: required(oneOf('OPERATION', switchable), 'The operation.'),
    state: required(oneOf('on|off', ['on', 'off']), 'The new state.'),
  },
  async run({ operation, state }, { catalog }) {
    await catalog.switchOperation(operation, state === 'on');
    return { operation, state, effectiveWithinSeconds };
  },
  print: ({ operation, state }) => `${operation} will be ${state} within ${effectiveWithinSeconds} seconds.`,
});

export const switchCommands: readonly Command[] = [set];
