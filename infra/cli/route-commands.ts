/** Commands on routes: which engines serve each task type, and whether they are available. */

import { routesOf } from '../../shared/catalog/engines.ts';
import { taskTypes } from '../../shared/contracts/task-types.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { routesRow } from '../../shared/domain/catalog/routes-row.ts';
import { stateOf, unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { engineNames } from '../../shared/engines/engine-names.ts';
import { actCommand } from './act-command.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, optional, required } from './command.ts';
import { enginesOf } from './engines-of.ts';
import { oneOf, someOf } from './value-kinds.ts';

const type = oneOf('TYPE', taskTypes);

const show = command({
  name: 'show',
  summary: 'Show the routes of a task type, or of all types, with the state of their circuits.',
  options: { type: optional(type, 'The task type; all of them by default.') },
  async run({ type: requested }, service) {
    const { table, circuits, clock } = service;
    const catalog = catalogStore(table, clock, () => enginesOf(service));
    const [engines, known] = await Promise.all([catalog.read(routesRow), circuits.read()]);
    const routes = taskTypes
      .filter((taskType) => requested === undefined || requested === taskType)
      .flatMap((taskType) => routesOf(engines[taskType], taskType).map((route) => ({ type: taskType, ...route })));
    return {
      routes: routes.map((route) => ({
        ...route,
        circuit: stateOf(known.get(route.id) ?? unusedCircuit, clock.now()),
      })),
    };
  },
  rows: ({ routes }) => routes.map(({ type: taskType, id, circuit }) => ({ type: taskType, route: id, circuit })),
  whenEmpty: 'There are no routes.',
});

const use = actCommand(acts.useRoutes, {
  name: 'use',
  summary: `Set the engines for a task type, effective within ${effectiveWithinSeconds} seconds; later ones are fallbacks.`,
  options: {
    type: required(type, 'The task type.'),
    engines: required(someOf('ENGINES', engineNames), 'The engines, in order of preference.'),
  },
  async run({ type: taskType, engines }, { connect, perform }) {
    const service = await connect();
    return { ...(await perform(service, service, { type: taskType, engines: [...engines] })), effectiveWithinSeconds };
  },
});

export const routeCommands: readonly Command[] = [show, use];
