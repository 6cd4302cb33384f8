/** The names of the engines. */
export const configuredEngineNames = ['offline', 'fal', 'elevenlabs', 'bedrock', 'klap', 'vizard', 'aws'] as const;

/** The engines that a service is deployed with. */
export type ConfiguredEngineName = (typeof configuredEngineNames)[number];

/** Also those that come with them. */
export const engineNames = [...configuredEngineNames, 'clips'] as const;

export type EngineName = (typeof engineNames)[number];

/** The engines that need an API key; the others authenticate the service by its role. */
export const engineNamesWithKeys = [
  'offline',
  'fal',
  'elevenlabs',
  'klap',
  'vizard',
] as const satisfies readonly EngineName[];

export type EngineNameWithKey = (typeof engineNamesWithKeys)[number];

/** The engines that transcribe and cut for the service's own workflow of clips. */
const clipEngines: readonly string[] = ['fal', 'aws'] satisfies readonly EngineName[];

/** The engines of a service with these: its own workflow comes with the first of those that work for it. */
export function completeEngineNames(names: readonly string[]): readonly string[] {
  const first = names.find((name) => clipEngines.includes(name));
  return names.flatMap((name) => (name === first ? [name, 'clips'] : [name]));
}
