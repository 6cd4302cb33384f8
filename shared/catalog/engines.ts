/** The routes of each task type: the defaults, and those that the catalog selects. */
import { type TaskType, taskTypes } from '../contracts/task-types.ts';
import { bedrockRoutes } from '../engines/bedrock/bedrock-routes.ts';
import { clipsRoutes, clipsWorkers } from '../engines/clips/clips-routes.ts';
import { elevenLabsRoutes } from '../engines/elevenlabs/elevenlabs-routes.ts';
import { completeEngineNames, type EngineName, engineNames } from '../engines/engine-names.ts';
import { falRoutes } from '../engines/fal/fal-routes.ts';
import { klapRoutes } from '../engines/klap/klap-routes.ts';
import { offlineRouteOf } from '../engines/offline/offline-routes.ts';
import type { EngineRoute } from '../engines/route.ts';
import { vizardRoutes } from '../engines/vizard/vizard-routes.ts';
import type { EngineChoice, EngineChoices } from './engine-choice.ts';

type Table = Readonly<Record<string, { readonly [Type in TaskType]?: NonNullable<EngineRoute['takes']> }>>;

const routesIn = (engine: EngineName, table: Table, taskType: TaskType): readonly EngineRoute[] =>
  Object.entries(table).flatMap(([id, makes]) => {
    const takes = makes[taskType];
    return takes ? [{ id, engine, takes }] : [];
  });

/** An engine's routes for a task type, in order of preference. */
const routesBy: Readonly<Record<EngineName, (taskType: TaskType) => readonly EngineRoute[]>> = {
  offline: (taskType) => [{ id: offlineRouteOf(taskType), engine: 'offline' }],
  fal: (taskType) => routesIn('fal', falRoutes, taskType),
  elevenlabs: (taskType) => routesIn('elevenlabs', elevenLabsRoutes, taskType),
  bedrock: (taskType) => routesIn('bedrock', bedrockRoutes, taskType),
  klap: (taskType) => routesIn('klap', klapRoutes, taskType),
  vizard: (taskType) => routesIn('vizard', vizardRoutes, taskType),
  // Whether the engine does jobs for the clips workflow (`cut-clips`).
  aws: () => [],
  clips: (taskType) =>
    routesIn('clips', clipsRoutes, taskType).map((route) => ({ ...route, workers: clipsWorkers[route.id] })),
};

export const allRoutesOf = (taskType: TaskType): readonly EngineRoute[] =>
  engineNames.flatMap((name) => routesBy[name](taskType));

/** Resolves a choice to its routes; routes that this release does not have are skipped. */
export const routesOf = ({ routes }: EngineChoice, taskType: TaskType): readonly EngineRoute[] => {
  const known = allRoutesOf(taskType);
  return routes.flatMap((id) => known.find((route) => route.id === id) ?? []);
};

/** Whether a service with these engines can use a route. */
const isUsable = ({ engine, workers = [] }: EngineRoute, names: readonly string[]): boolean =>
  [engine, ...workers].every((name) => names.includes(name));

/** Removes unusable routes from the choices: unknown to this release, or of engines that this service does not have. */
export const availableChoices = (choices: EngineChoices, engineNamesHere: readonly string[]): EngineChoices => {
  const names = completeEngineNames(engineNamesHere);
  const available = (choice: EngineChoice, taskType: TaskType): EngineChoice => ({
    ...choice,
    routes: routesOf(choice, taskType)
      .filter((route) => isUsable(route, names))
      .map(({ id }) => id),
  });
  return Object.fromEntries(taskTypes.map((type) => [type, available(choices[type], type)])) as EngineChoices;
};

/** The default choice for these engines, in order of fallback. @throws for an unknown engine name */
export function choicesOf(names: readonly string[]): EngineChoices {
  const complete = completeEngineNames(names);
  const engines = complete.map((name) => {
    const engine = engineNames.find((candidate) => candidate === name);
    if (!engine) throw new Error(`there is no engine "${name}": the engines are ${engineNames.join(', ')}`);
    return engine;
  });
  const choose = (type: TaskType): EngineChoice => ({
    routes: engines
      .flatMap((engine) => routesBy[engine](type))
      .filter((route) => isUsable(route, complete))
      .map(({ id }) => id),
  });
  return Object.fromEntries(taskTypes.map((type) => [type, choose(type)])) as EngineChoices;
}
