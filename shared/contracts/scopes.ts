/** What a token may be allowed to do. */

export const scopes = [
  'read:profile',
  'read:usage',
  'read:tasks',
  'read:subscriptions',
  'read:orders',
  'generate:image',
  'generate:video',
  'generate:audio',
  'create:credits',
  'create:subscriptions',
  'read:piloto',
  'write:piloto',
] as const;

export type Scope = (typeof scopes)[number];

export type GenerationScope = Extract<Scope, `generate:${string}`>;

/** The scopes that create tasks. */
export const generationScopes = scopes.filter((scope): scope is GenerationScope => scope.startsWith('generate:'));
