/** Translates an entry of the permission table into IAM statements and environment variables. */
import packageJson from '../../package.json' with { type: 'json' };
import type { WorkflowName } from '../../shared/contracts/workflow.ts';
import { listOf } from '../../shared/platform/settings.ts';
import type { FunctionName } from '../hosting.ts';
import type { BaseStack } from './base-stack.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { DataStack } from './data-stack.ts';
import type { FunctionGrants } from './function-grants.ts';
import { grants } from './grants.ts';
import { metricsNamespace } from './metrics.ts';
import { modelInvocation } from './model-invocation.ts';
import type { Permission } from './permission.ts';
import { type ProviderKeys, socialApps, socialSettings } from './secrets.ts';
import type { Stage } from './stages.ts';
import { isWorkflowStep, startingByStep } from './state-machines.ts';
import type { Workflows } from './workflows.ts';

export interface Parts {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly providerKeys: ProviderKeys;
  readonly base: BaseStack;
  /**
   * The dashboard's stacks; absent on stages without a dashboard, whose dashboard functions respond as if they did not
   * exist.
   */
  readonly dashboard?: Dashboard;
  /** The workflows; absent for steps, which are created before the workflows. */
  readonly workflows?: Workflows;
}

type Fact = NonNullable<FunctionGrants['knows']>[number];

const facts: Readonly<Record<Fact, (parts: Parts) => Permission['settings']>> = {
  apiUrl: ({ base }) => ({ apiUrl: base.address.url }),
  resultsUrl: ({ data }) => ({ resultsUrl: data.results.url }),
  resultsRetention: ({ stage }) => ({ resultsRetentionDays: String(stage.resultsRetentionDays) }),
  publishedRetention: ({ stage }) => ({ publishedRetentionDays: String(stage.publishedRetentionDays) }),
  engines: ({ stage }) => ({ engines: listOf(Object.keys(stage.engines)) }),
  // The URL policy is set only on emulated stages; all others use the default, `public`, without a variable that could
  // be changed.
  urlPolicy: ({ stage }) => (stage.emulatorUrl ? { urlPolicy: 'local' } : {}),
  likenessConsent: ({ stage }) =>
    stage.likenessConsent === 'ignored' ? {} : { likenessConsent: stage.likenessConsent },
  dashboardUrl: ({ dashboard }) => dashboard && { dashboardUrl: dashboard.url },
  signUp: ({ dashboard }) => dashboard?.signUp,
  confirmationPrompt: ({ dashboard }) => dashboard?.confirmationPrompt,
  socialApps: ({ stage }) => socialApps(stage),
  socialNetworks: ({ stage }) => socialSettings(stage),
  version: () => ({ version: packageJson.version }),
};

function starting(name: FunctionName, { stage, workflows }: Parts, started: readonly WorkflowName[]): Permission {
  if (isWorkflowStep(name)) return startingByStep(stage, started);
  if (!workflows) throw new Error(`${name} starts workflows that are not made yet`);
  return workflows.allowStart(started);
}

/**
 * The permission to report to executions. Roles of steps get it later: otherwise the role would depend on the workflow
 * and the workflow on the role.
 */
function reporting(
  name: FunctionName,
  { workflows }: Parts,
  reports: NonNullable<FunctionGrants['workflow']>,
): Permission {
  if (isWorkflowStep(name) || reports.length === 0) return {};
  if (!workflows) throw new Error(`${name} reports to workflows that are not made yet`);
  return { statements: reports.flatMap((report) => workflows.reporting(report)) };
}

export function permissionsOf(name: FunctionName, parts: Parts): readonly Permission[] {
  const { dashboard, data, providerKeys, stage } = parts;
  const {
    table = {},
    results = [],
    inputs = [],
    models = [],
    conversion = [],
    webhookQueue = [],
    paymentQueue = [],
    inboxQueue = [],
    queues = [],
    credentials = [],
    contentKey = [],
    starts = [],
    workflow = [],
    webhookKeys = [],
    secrets = [],
    identity = [],
    operators = [],
    knows = [],
  } = grants[name];
  // Settings for sessions: the allowed origin of writes, and the cookie's name.
  const ofSessions: readonly Fact[] = table.update?.some(
    (entity) => entity === 'session' || entity === 'operatorSession',
  )
    ? ['dashboardUrl']
    : [];
  return [
    { settings: { tableName: data.table.name, metricsNamespace: metricsNamespace(stage) } },
    data.table.allow(table),
    ...results.map((use) => data.results.allow(use)),
    ...inputs.map((use) => data.inputs.allow(use)),
    ...models.map((use) => modelInvocation(stage, use)),
    ...conversion.map((use) => data.conversion?.allow(use) ?? {}),
    ...webhookQueue.map((use) => data.queues.webhooks.allow(use)),
    ...paymentQueue.map((use) => data.queues.paymentEvents.allow(use)),
    ...inboxQueue.map((use) => data.queues.inbox.allow(use)),
    ...queues.flatMap((use) => Object.values(data.queues).map((queue) => queue.allowOperators(use))),
    ...credentials.map((use) => data.credentialsKey.allow(use)),
    ...contentKey.map((use) => data.contentKey.allow(use)),
    ...(starts.length > 0 ? [starting(name, parts, starts)] : []),
    reporting(name, parts, workflow),
    ...webhookKeys.map((use) => data.webhookKeys.allow(use)),
    ...secrets.map((of) => (of === 'callbackAddresses' ? data.callbackKey.allow() : providerKeys.allow(of))),
    ...identity.map((use) => dashboard?.allow(use) ?? {}),
    ...operators.map((use) => dashboard?.allowOperators(use) ?? {}),
    ...[...knows, ...ofSessions].map((fact) => ({ settings: facts[fact](parts) ?? {} })),
  ];
}
