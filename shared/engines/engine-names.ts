/** The engines that this service can have things made by. */
export const engineNames = ['offline', 'fal', 'bedrock'] as const;

export type EngineName = (typeof engineNames)[number];

/** Those that give the service a key; the others know it by its role. */
export const engineNamesWithKeys = ['offline', 'fal'] as const satisfies readonly EngineName[];

export type EngineNameWithKey = (typeof engineNamesWithKeys)[number];
