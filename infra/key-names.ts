/** The providers whose API keys an operator stores: engines, and where durations of videos come from. */
import { engineNamesWithKeys } from '../shared/engines/engine-names.ts';

export const keyNames = [...engineNamesWithKeys, 'youtube'] as const;

export type KeyName = (typeof keyNames)[number];

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The output of a deployed stack that names the secret with a key. */
export const keyOutputOf = (name: KeyName): string => `${capitalized(name)}${name === 'youtube' ? '' : 'Engine'}Secret`;
