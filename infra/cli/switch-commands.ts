/** Commands that turn operations on and off. */
import { generateContracts } from '../../shared/contracts/generate.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, required } from './command.ts';
import { oneOf } from './value-kinds.ts';

const generationOperations = Object.values(generateContracts).map(({ operationId }) => operationId);

const set = command({
  name: 'set',
  summary: `Switches a generation operation on or off, within ${effectiveWithinSeconds} seconds; off, it answers 503.`,
  operands: {
    operation: required(oneOf('OPERATION', generationOperations), 'Which operation.'),
    state: required(oneOf('on|off', ['on', 'off']), 'What it is to be.'),
  },
  async run({ operation, state }, { catalog }) {
    await catalog.switchOperation(operation, state === 'on');
    return { operation, state, effectiveWithinSeconds };
  },
  print: ({ operation, state }) => `${operation} is switched ${state}, within ${effectiveWithinSeconds} seconds.`,
});

export const switchCommands: readonly Command[] = [set];
