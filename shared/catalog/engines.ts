/** Which engines make tasks of a type, unless the catalog's ENGINES row says otherwise, for which it takes no deploy. */
import { type TaskType, taskTypes } from '../contracts/generate.ts';
import { type EngineName, engineNames } from '../engines/engine-names.ts';
import { bedrockEngines } from './bedrock-engines.ts';
import type { EngineChoice, EngineChoices } from './engine-choice.ts';
import { falEngines } from './fal-engines.ts';
import { offlineEngines } from './offline-engines.ts';

/** What each engine can make, and how, by its name. */
const known: Readonly<Record<EngineName, Readonly<Partial<Record<TaskType, EngineChoice>>>>> = {
  offline: offlineEngines,
  fal: falEngines,
  bedrock: bedrockEngines,
};

const ofEngine = (name: string) => {
  const engine = engineNames.find((candidate) => candidate === name);
  if (!engine) throw new Error(`there is no engine "${name}": there are ${engineNames.join(', ')}`);
  return known[engine];
};

/** The choice when these engines are to be had: each stands in for those before it. @throws for an unknown name. */
export function choicesOf(names: readonly string[]): EngineChoices {
  const choices = names.map(ofEngine);
  const choose = (type: TaskType): EngineChoice => ({
    routes: choices.flatMap((choice) => choice[type]?.routes ?? []),
  });
  return Object.fromEntries(taskTypes.map((type) => [type, choose(type)])) as EngineChoices;
}
