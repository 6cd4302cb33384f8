/** The names of the engines. */
export const configuredEngineNames = ['offline', 'fal', 'elevenlabs', 'bedrock', 'klap', 'vizard', 'aws'] as const;

/** The engines with which a service can be deployed. */
export type ConfiguredEngineName = (typeof configuredEngineNames)[number];

/** All engines, including those that are added automatically. */
export const engineNames = [...configuredEngineNames, 'clips'] as const;

export type EngineName = (typeof engineNames)[number];

/** The engine of test mode: every service has it, and no configuration and no catalog can name it. */
export const testEngineName = 'test';

/** The engines that need an API key; the others authenticate with the service's role. */
export const engineNamesWithKeys = [
  'offline',
  'fal',
  'elevenlabs',
  'klap',
  'vizard',
] as const satisfies readonly EngineName[];

export type EngineNameWithKey = (typeof engineNamesWithKeys)[number];

/** The engines that can transcribe and cut for the service's own clips workflow. */
const clipEngines: readonly string[] = ['fal', 'aws'] satisfies readonly EngineName[];

/** Adds the service's own clips engine after the first engine that it can use. */
export function completeEngineNames(names: readonly string[]): readonly string[] {
  const first = names.find((name) => clipEngines.includes(name));
  return names.flatMap((name) => (name === first ? [name, 'clips'] : [name]));
}
