/** The names of the engines. */
export const engineNames = ['offline', 'fal', 'elevenlabs', 'bedrock', 'klap', 'vizard', 'aws'] as const;

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
