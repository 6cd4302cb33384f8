/** Common selections of scopes for a new token, chosen by what the scopes permit. */
import { generationScopes, type Scope, scopes } from '../../../shared/contracts/scopes.ts';

const including = (isIncluded: (scope: Scope) => boolean): readonly Scope[] => scopes.filter(isIncluded);

export const scopePresets = {
  everything: scopes,
  generation: including((scope) => scope === 'read:tasks' || generationScopes.some((one) => one === scope)),
  reading: including((scope) => scope.startsWith('read:')),
  inbox: including((scope) => scope.endsWith(':piloto')),
} as const satisfies Record<string, readonly Scope[]>;

export type ScopePreset = keyof typeof scopePresets;

export const presetNames = Object.keys(scopePresets) as readonly ScopePreset[];

/** Whether exactly the scopes of a preset are chosen. `chosen` has each scope at most once. */
export const isPreset = (name: ScopePreset, chosen: readonly Scope[]): boolean =>
  chosen.length === scopePresets[name].length && scopePresets[name].every((scope) => chosen.includes(scope));
