/** What is mutated, by module, and the tests that must detect each mutant. */

const domain = (name: string) => `shared/domain/${name}.ts`;
const platform = (name: string) => `shared/platform/${name}.ts`;

/** The product's files of each module; a file that serves two modules is judged in both. */
export const modules = {
  money: [
    'accounts/account-store',
    'accounts/ledger',
    'accounts/ledger-store',
    'generation/commit-task',
    'generation/pricing',
    'generation/request-generation',
    'tasks/end-task',
    'tasks/task-item',
  ].map(domain),
  'rate-limit': ['tokens/rate-limit', 'tokens/token-store'].map(domain),
  idempotency: [
    domain('idempotency/idempotency'),
    domain('idempotency/idempotency-claim'),
    domain('idempotency/idempotency-store'),
    domain('idempotency/run-once'),
  ],
  token: [
    ...['tokens/token', 'tokens/token-store', 'tokens/create-token'].map(domain),
    'shared/runtime/authenticate-token.ts',
  ],
  'outbound-guard': [
    'url-policy',
    'dial-address',
    'safe-fetch',
    'request-url',
    'bounded-body',
    'growing-block',
    'until-aborted',
    'outbound',
  ].map(platform),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ModuleName = keyof typeof modules;

export const moduleNames = Object.keys(modules) as ModuleName[];

/** The smallest files with the most to lose: the ones that `--quick` mutates. */
export const quickFiles: readonly string[] = [
  ...['generation/pricing', 'tokens/rate-limit', 'idempotency/idempotency', 'tokens/token'].map(domain),
  platform('url-policy'),
];

/** Tests of a file that do not have the name of the file that they mirror. */
export const furtherTests: Readonly<Record<string, string>> = {
  [domain('generation/commit-task')]: 'test/domain/generation/request-generation.test.ts',
  [domain('idempotency/idempotency-claim')]: 'test/domain/idempotency/run-once.property.test.ts',
  [platform('url-policy')]: 'test/platform/url-policy-addresses.test.ts',
  [platform('safe-fetch')]: 'test/platform/safe-fetch-*.test.ts',
};

/** Patterns, from the project's folder, of a file's tests: those that mirror it by name, and those listed above. */
export const testsOf = (file: string): string[] => {
  const mirrored = file.replace(/^shared\/(.*)\.ts$/, 'test/$1{,.property}.test.ts');
  return [mirrored, furtherTests[file]].filter((pattern) => pattern !== undefined);
};
