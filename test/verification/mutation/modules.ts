/** What is mutated, by the module that it belongs to, and the tests that have to notice. */

const domain = (name: string) => `shared/domain/${name}.ts`;
const runtime = (name: string) => `shared/runtime/${name}.ts`;
const platform = (name: string) => `shared/platform/${name}.ts`;

/** The product's files of each module; a file that serves two is judged in both. */
export const modules = {
  money: [
    'generation/pricing',
    'accounts/account-store',
    'accounts/ledger',
    'accounts/ledger-store',
    'tasks/end-task',
    'generation/request-generation',
    'tasks/task-item',
  ].map(domain),
  'rate-limit': ['tokens/rate-limit', 'tokens/token-store'].map(domain),
  idempotency: [domain('idempotency/idempotency'), domain('idempotency/idempotency-store')],
  token: [...['tokens/token', 'tokens/token-store', 'tokens/create-token'].map(domain), runtime('authenticate-token')],
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

/** The smallest files with the most to lose: what `--quick` looks at. */
export const quickFiles: readonly string[] = [
  ...['generation/pricing', 'tokens/rate-limit', 'idempotency/idempotency', 'tokens/token'].map(domain),
  platform('url-policy'),
];

/** Tests that go by another name than the file they mirror. */
const furtherTests: Readonly<Record<string, string>> = {
  [platform('url-policy')]: 'test/platform/url-policy-addresses.test.ts',
  [platform('safe-fetch')]: 'test/platform/safe-fetch-*.test.ts',
};

/** Where the tests of a file are: patterns, from the project's folder. */
export const testsOf = (file: string): string[] => {
  const mirrored = file.replace(/^shared\/(.*)\.ts$/, 'test/$1{,.property}.test.ts');
  return [mirrored, furtherTests[file]].filter((pattern) => pattern !== undefined);
};
