/** The commands that switch task types, and operations that create no tasks, on and off. */

import { operationOf, switchable } from '../../shared/contracts/switchable.ts';
import { switchesRow } from '../../shared/domain/catalog/switches-row.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { actCommand } from './act-command.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, required } from './command.ts';
import { oneOf } from './value-kinds.ts';

const show = command({
  name: 'show',
  summary: 'Show which task types and operations are on, and which are off.',
  async run(_values, { catalog }) {
    const off = await catalog.read(switchesRow);
    return { switches: switchable.map((name) => ({ name, state: off.has(operationOf(name)) ? 'off' : 'on' })) };
  },
  rows: ({ switches }) => switches,
});

const set = actCommand(acts.switchOperation, {
  name: 'set',
  summary: `Switch a task type on or off, effective within ${effectiveWithinSeconds} seconds; while off, its requests are rejected with 503.`,
  operands: {
    type: required(oneOf('TYPE', switchable), 'The task type, or an operation that creates no tasks.'),
    state: required(oneOf('on|off', ['on', 'off']), 'The new state.'),
  },
  async run({ type, state }, { connect, perform }) {
    const service = await connect();
    return { ...(await perform(service, service, { type, state })), effectiveWithinSeconds };
  },
  print: ({ type, state }) => `${type} will be ${state} within ${effectiveWithinSeconds} seconds.`,
});

export const switchCommands: readonly Command[] = [show, set];
