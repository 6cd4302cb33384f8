/** What is mutated, by module, and the tests that must detect each mutant. */

const domain = (name: string) => `shared/domain/${name}.ts`;
const platform = (name: string) => `shared/platform/${name}.ts`;

/** The product's files of each module; a file that serves two modules is judged in both. */
export const modules = {
  money: [
    'accounts/account-store',
    'accounts/ledger',
    'accounts/ledger-store',
    'accounts/reconcile-account',
    'accounts/account-subscription',
    'accounts/mended-drift',
    'billing/orders/apply-payment',
    'billing/subscriptions/apply-report',
    'billing/handle-payment-event',
    'billing/cases/billing-case',
    'billing/subscriptions/cancel-subscription',
    'billing/cases/case-store',
    'billing/subscriptions/coupon',
    'billing/subscriptions/coupon-redemption',
    'billing/orders/create-order',
    'billing/subscriptions/create-subscription',
    'billing/gateway-call',
    'billing/cases/open-cases',
    'billing/orders/operate-order',
    'billing/orders/order',
    'billing/orders/order-room',
    'billing/orders/order-store',
    'billing/orders/orders-in-turn',
    'billing/cases/payment-cases',
    'billing/reconciliation/reconcile-orders',
    'billing/reconciliation/reconcile-subscriptions',
    'billing/reconciliation/reconciliation',
    'billing/reconciliation/search-changes',
    'billing/reconciliation/search-state',
    'billing/subscriptions/subscription',
    'billing/cases/subscription-cases',
    'billing/subscriptions/subscription-move',
    'billing/subscriptions/subscription-store',
    'billing/subscriptions/subscription-writes',
    'billing/write-if-unchanged',
    'generation/commit-task',
    'generation/pricing',
    'generation/request-generation',
    'task-lifecycle/end-task',
    'task-lifecycle/redeliver-webhook',
    'tasks/task-item',
  ].map(domain),
  state: [
    'stored-row',
    'tasks/delivery-attempt',
    'tasks/task',
    'tasks/task-item',
    'tasks/task-store',
    'task-lifecycle/end-task',
    'tasks/video-promise',
  ].map(domain),
  'engine-jobs': [
    'advance-job',
    'bounded-report',
    'callback-address',
    'engine-fault',
    'engine-job',
    'engine-job-store',
    'record-report',
    'stop-jobs',
    'submit-job',
  ].map((name) => domain(`engine-jobs/${name}`)),
  webhooks: ['delivery-slots', 'delivery-store', 'list-deliveries', 'request-delivery', 'webhook'].map((name) =>
    domain(`webhooks/${name}`),
  ),
  'rate-limit': ['rate-limit', 'tokens/admit-token'].map(domain),
  idempotency: [
    domain('idempotency/idempotency'),
    domain('idempotency/idempotency-claim'),
    domain('idempotency/idempotency-store'),
    domain('idempotency/run-once'),
  ],
  token: [
    ...['active-tokens', 'admit-token', 'create-own-token', 'guess-store', 'issue-token', 'token', 'token-store'].map(
      (name) => domain(`tokens/${name}`),
    ),
    'shared/runtime/authenticate-token.ts',
  ],
  sessions: [
    'piloto/pages/choose-page',
    'piloto/pages/complete-consent',
    'piloto/pages/consent-store',
    'piloto/pages/request-consent',
    'sessions/admit-session',
    'sessions/complete-login',
    'sessions/invitation',
    'sessions/login-store',
    'sessions/return-path',
    'sessions/session',
    'sessions/session-store',
    'sessions/sign-up',
    'sessions/begin-login',
  ].map(domain),
  inbox: [
    'comments/post',
    'conversations/conversation',
    'present-inbox',
    'synchronization/in-order',
    'synchronization/times-in-order',
  ].map((name) => domain(`piloto/${name}`)),
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

/** The rest of the domain, by file or folder, each with the reason why no module has it. */
export const notMutated: Readonly<Record<string, string>> = {
  'shared/domain/accounts/account.ts': 'One constant beside types; the account store’s tests know its value.',
  'shared/domain/accounts/audit-': 'The audit reports and repairs nothing; a property test compares it with an oracle.',
  'shared/domain/accounts/drift-cause.ts': 'Words a guess for operators.',
  'shared/domain/accounts/create-account.ts': 'Runs at an operator’s command, whose tests look at what it wrote.',
  'shared/domain/billing/subscriptions/current-subscription.ts': 'Words a response.',
  'shared/domain/billing/orders/present-order.ts': 'Words a response.',
  'shared/domain/catalog/': 'Configuration: it moves neither credits nor states.',
  'shared/domain/files/': 'Moves no credits; its operations are tested through the service, races included.',
  'shared/domain/generation/aspect-ratio-at.ts': 'Looks up a proportion.',
  'shared/domain/generation/choose-route.ts': 'Chooses an engine before anything is written.',
  'shared/domain/generation/circuit': 'Circuits choose engines; a property test compares them with a model.',
  'shared/domain/clips/':
    'Looks at links, files and transcripts; a table knows each form of a link, properties hold for any transcript.',
  'shared/domain/generation/duration-at.ts': 'Measures a file before anything is written.',
  'shared/domain/generation/image-at.ts': 'Looks at a file before anything is written.',
  'shared/domain/generation/inspection.ts': 'Types.',
  'shared/domain/generation/judge-engine.ts': 'Reports to a circuit.',
  'shared/domain/generation/stage-inputs.ts': 'Copies inputs; a failure ends the task by the mutated ending.',
  'shared/domain/generation/measure-again.ts':
    'Measures a file before it is given to an engine; a failure ends the task by the mutated ending.',
  'shared/domain/generation/unsupported-fields.ts': 'Words a rejection.',
  'shared/domain/inbox-keys.ts': 'The schema: a property test holds that no two rows share a key.',
  'shared/domain/influencers/': 'One row that the mutated ending writes.',
  'shared/domain/keys.ts': 'The schema: a property test holds that no two rows share a key.',
  'shared/domain/media/': 'Reads the heads of files.',
  'shared/domain/metrics.ts': 'Names and units.',
  'shared/domain/piloto/':
    'The rest moves what the mutated rules decide; a property test compares the copy of an inbox with the original.',
  'shared/domain/readable-rows.ts': 'Leaves rows out of lists; a test damages a row of each list.',
  'shared/domain/rejection.ts': 'One class of errors.',
  'shared/domain/secret-digest.ts': 'One call of a library.',
  'shared/domain/store': 'Puts the stores together.',
  'shared/domain/studio/': 'Moves no credits; its operations are tested through the service, races included.',
  'shared/domain/task-lifecycle/copy-poster.ts': 'Copies an image without which its video is complete.',
  'shared/domain/task-lifecycle/copy-results.ts': 'Copies results; a failure ends the task by the mutated ending.',
  'shared/domain/tasks/find-tasks.ts': 'Reads; a property test compares it with an oracle.',
  'shared/domain/tasks/present-task.ts': 'Words a response.',
  'shared/domain/usage/': 'Reads; a property test compares it with the ledger.',
  'shared/domain/tasks/start-task.ts': 'Starts an execution, which the sweeper repeats.',
};

export type ModuleName = keyof typeof modules;

export const moduleNames = Object.keys(modules) as ModuleName[];

/** The smallest files with the most to lose: the ones that `--quick` mutates. */
export const quickFiles: readonly string[] = [
  ...['generation/pricing', 'rate-limit', 'idempotency/idempotency', 'tokens/token'].map(domain),
  platform('url-policy'),
];

// The subscriptions' model takes as long as all others together, so mutants that survive these would take twice as long.
const billingTests =
  'test/{domain/billing/{,*/}!(subscription-model.property*),functions/{credit-orders,payment-events,session-payments,subscription-events},infra/cli/{order,subscription}-commands}.test.ts';

/** Tests of a file that do not have the name of the file that they mirror. */
export const furtherTests: Readonly<Record<string, string>> = {
  // A job's protocol spans its files; its property tests are slow and kill no further mutant.
  ...Object.fromEntries(modules['engine-jobs'].map((file) => [file, 'test/domain/engine-jobs/!(*.property*).test.ts'])),
  ...Object.fromEntries(modules.money.filter((file) => file.includes('/billing/')).map((file) => [file, billingTests])),
  // A log-in spans its files, from the browser's first request to its session.
  ...Object.fromEntries(
    modules.sessions.map((file) => [
      file,
      'test/{functions/{log-in,sessions},domain/{sessions,piloto/pages}/*}.test.ts',
    ]),
  ),
  [domain('piloto/conversations/conversation')]: 'test/domain/piloto/conversations.test.ts',
  [domain('piloto/comments/post')]: 'test/domain/piloto/comments.test.ts',
  [domain('tokens/active-tokens')]: 'test/functions/own-tokens.test.ts',
  [domain('tokens/admit-token')]: 'test/{domain/tokens/token-{arrivals,store},runtime/authenticate-token}.test.ts',
  [domain('tokens/create-own-token')]: 'test/functions/own-tokens.test.ts',
  [domain('tasks/delivery-attempt')]: 'test/domain/{stored-row,webhooks/delivery-store}.test.ts',
  [domain('task-lifecycle/redeliver-webhook')]: 'test/infra/cli/webhook-commands.test.ts',
  [domain('tasks/task')]: 'test/domain/{task-lifecycle/end-task,tasks/task-store.property}.test.ts',
  [domain('tasks/task-item')]: 'test/domain/tasks/find-tasks.property.test.ts',
  [domain('accounts/account-store')]:
    'test/{functions/generate-cortes,domain/{stored-row,accounts/audit-account.property}}.test.ts',
  [domain('accounts/account-subscription')]: billingTests,
  [domain('accounts/ledger-store')]: 'test/domain/accounts/{audit-account.property,reconcile-account}.test.ts',
  [domain('generation/request-generation')]:
    'test/{functions/generate-cortes,domain/generation/request-{addresses,routes}}.test.ts',
  [domain('generation/commit-task')]: 'test/domain/generation/request-generation.test.ts',
  [domain('idempotency/idempotency-store')]: 'test/domain/stored-row.test.ts',
  [domain('idempotency/idempotency-claim')]:
    'test/domain/idempotency/{run-once,run-once.property,repeatable-work.property}.test.ts',
  [domain('idempotency/run-once')]: 'test/domain/idempotency/{idempotency-claim,repeatable-work.property}.test.ts',
  [platform('url-policy')]: 'test/platform/url-policy-addresses.test.ts',
  [platform('safe-fetch')]: 'test/platform/safe-fetch-*.test.ts',
};

/** Patterns, from the project's folder, of a file's tests: those that mirror it by name, and those listed above, quick or deep. */
export const testsOf = (file: string): string[] => {
  const mirrored = file.replace(/^shared\/(.*)\.ts$/, 'test/$1{,.property}.test.ts');
  const patterns = [mirrored, furtherTests[file]].filter((pattern) => pattern !== undefined);
  return patterns.map((pattern) => pattern.replace(/\.test\.ts$/, '{,.deep}.test.ts'));
};
