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

/** Scopes that test tokens can use. Operations of all others concern money, or people outside the service. */
const testScopes: readonly Scope[] = [
  'read:profile',
  'read:usage',
  'read:tasks',
  'generate:image',
  'generate:video',
  'generate:audio',
];

/** Whether an operation with these scopes accepts test tokens. */
export const acceptsTests = (needed: readonly Scope[]): boolean => needed.every((scope) => testScopes.includes(scope));

export type GenerationScope = Extract<Scope, `generate:${string}`>;

/** The scopes that create tasks. */
export const generationScopes = scopes.filter((scope): scope is GenerationScope => scope.startsWith('generate:'));
