/** Commands on who makes what: the engines that tasks of a type go to, and whether these are to be had. */
import { text } from 'node:stream/consumers';
import jsonata from 'jsonata';
import * as z from 'zod';
import { EngineChoice, type EngineRoute } from '../../shared/catalog/engine-choice.ts';
import { choicesOf } from '../../shared/catalog/engines.ts';
import { generationOf, type TaskType, taskTypes } from '../../shared/contracts/generate.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { circuitOf, stateOf, unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { engineNames } from '../../shared/engines/engine-names.ts';
import { describedStage } from '../aws/described-stage.ts';
import { type Command, command, optional, required } from './command.ts';
import { refused } from './exit-error.ts';
import type { Service } from './service.ts';
import { oneOf, someOf } from './value-kinds.ts';

/** Every function reads the catalog again when its copy is this old. */
const effectiveWithinSeconds = 30;

const type = oneOf('TYPE', taskTypes);

/** What the service was deployed with: the local one says it itself, a stage is described. @throws {ExitError} */
function enginesOf({ deployment, settings }: Service): readonly string[] {
  if (!deployment) return settings.engines.split(',');
  try {
    return Object.keys(describedStage(deployment.stage).engines);
  } catch (error) {
    throw refused((error as Error).message);
  }
}

/** @throws {ExitError} that names the service's engines, when one of these is none of them */
function requireEngines(asked: readonly string[], service: Service): void {
  const known = enginesOf(service);
  const [stray] = asked.filter((name) => !known.includes(name));
  if (stray === undefined) return;
  throw refused(`This service has no engine ${stray}, and tasks that go there would fail. It has ${known.join(', ')}.`);
}

const show = command({
  name: 'show',
  summary: 'Shows the ways in which tasks of a type, or of all types, are made, and which of them are shut off now.',
  options: { type: optional(type, 'Which task type.') },
  async run({ type: asked }, service) {
    const { table, circuits, clock } = service;
    const catalog = catalogStore(table, clock, () => enginesOf(service));
    const [{ engines }, known] = await Promise.all([catalog.read(), circuits.read()]);
    const routes = taskTypes
      .filter((taskType) => asked === undefined || asked === taskType)
      .flatMap((taskType) => engines[taskType].routes.map((route) => ({ type: taskType, ...route })));
    return {
      routes: routes.map((route) => ({
        ...route,
        circuit: stateOf(known.get(circuitOf(route, route.type)) ?? unusedCircuit, clock.now()),
      })),
    };
  },
  print: ({ routes }) =>
    routes
      .map(({ type: taskType, circuit, ...route }) => `${taskType}  ${circuitOf(route, taskType)}  ${circuit}`)
      .join('\n'),
});

const use = command({
  name: 'use',
  summary: `Gives tasks of a type to engines, within ${effectiveWithinSeconds} seconds; the later ones stand in for the first.`,
  options: {
    type: required(type, 'Which task type.'),
    engines: required(someOf('ENGINES', engineNames), 'The engines, the first choice first, with commas between.'),
  },
  async run({ type: taskType, engines }, service) {
    requireEngines(engines, service);
    const choice = choicesOf(engines)[taskType];
    if (choice.routes.length === 0) throw refused(`None of these engines makes tasks of the type ${taskType}.`);
    await service.catalog.chooseEngine(taskType, choice);
    return { type: taskType, routes: choice.routes.map((route) => circuitOf(route, taskType)), effectiveWithinSeconds };
  },
});

/** What is on standard input, as far as it is a choice. @throws {ExitError} that names what is wrong */
async function choiceFromInput(): Promise<EngineChoice> {
  const input = await text(process.stdin);
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    throw refused('The routes are read from standard input, and must be JSON.');
  }
  const { data, error } = EngineChoice().safeParse(given);
  if (error) throw refused(z.prettifyError(error));
  return data;
}

function requireMapping({ input: mapping }: EngineRoute): void {
  try {
    if (mapping !== undefined) jsonata(mapping);
  } catch (cause) {
    throw refused(`A mapping is no JSONata expression: ${(cause as Error).message}`);
  }
}

/** A condition on what no request has would never be met, or always. */
function requireFields({ takes = {} }: EngineRoute, taskType: TaskType): void {
  const { body } = generationOf(taskType);
  const known = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
  const stray = Object.keys(takes).find((field) => !known.includes(field));
  if (stray === undefined) return;
  throw refused(`takes: requests of the type ${taskType} have no field ${stray}. They have ${known.join(', ')}.`);
}

const set = command({
  name: 'set',
  summary: `Gives tasks of a type to the routes on standard input, within ${effectiveWithinSeconds} seconds: JSON as docs/engines.md describes it.`,
  options: { type: required(type, 'Which task type.') },
  async run({ type: taskType }, service) {
    const choice = await choiceFromInput();
    requireEngines(
      choice.routes.map(({ engine }) => engine),
      service,
    );
    for (const route of choice.routes) {
      requireMapping(route);
      requireFields(route, taskType);
    }
    await service.catalog.chooseEngine(taskType, choice);
    return { type: taskType, routes: choice.routes.map((route) => circuitOf(route, taskType)), effectiveWithinSeconds };
  },
});

const reset = command({
  name: 'reset',
  summary: `Gives tasks of a type back to the engines that the service was deployed with, within ${effectiveWithinSeconds} seconds.`,
  options: { type: required(type, 'Which task type.') },
  async run({ type: taskType }, { catalog }) {
    await catalog.chooseEngine(taskType, undefined);
    return { type: taskType, effectiveWithinSeconds };
  },
});

export const routeCommands: readonly Command[] = [show, use, set, reset];
