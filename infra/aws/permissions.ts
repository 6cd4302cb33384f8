/** Turns a line of the permission table into what IAM and the function's environment say. */
import packageJson from '../../package.json' with { type: 'json' };
import type { FunctionName } from '../hosting.ts';
import type { Api } from './api.ts';
import type { DataStack } from './data-stack.ts';
import { type Grants, grants } from './grants.ts';
import { metricsNamespace } from './metrics.ts';
import { modelInvocation } from './model-invocation.ts';
import type { Permission } from './permission.ts';
import type { EngineKeys } from './secrets.ts';
import type { Stage } from './stages.ts';
import type { Workflow } from './state-machines.ts';

export interface Parts {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly engineKeys: EngineKeys;
  readonly api: Api;
  /** The steps of the workflow come before it, and can not start it. */
  readonly workflow?: Workflow;
}

type Fact = NonNullable<Grants['knows']>[number];

const facts: Readonly<Record<Fact, (parts: Parts) => Permission['settings']>> = {
  apiUrl: ({ api }) => ({ apiUrl: api.url }),
  resultsUrl: ({ data }) => ({ resultsUrl: data.results.url }),
  engines: ({ stage }) => ({ engines: Object.keys(stage.engines).join(',') }),
  // Everywhere else it is `public`, and there is no variable that could say otherwise.
  urlPolicy: ({ stage }) => (stage.emulatorUrl ? { urlPolicy: 'local' } : {}),
  version: () => ({ version: packageJson.version }),
};

function starting(name: FunctionName, { workflow }: Parts): Permission {
  if (!workflow) throw new Error(`${name} is a step of the workflow, and can not start it`);
  return workflow.allowStart();
}

export function permissionsOf(name: FunctionName, parts: Parts): readonly Permission[] {
  const { data, engineKeys, stage } = parts;
  const {
    table = {},
    results = [],
    inputs = [],
    models = [],
    webhookQueue = [],
    workflow = [],
    webhookKeys = [],
    secrets = [],
    knows = [],
  } = grants[name];
  return [
    { settings: { tableName: data.table.name, metricsNamespace: metricsNamespace(stage) } },
    data.table.allow(table),
    ...results.map((use) => data.results.allow(use)),
    ...inputs.map((use) => data.inputs.allow(use)),
    ...(models.includes('invoke') ? [modelInvocation(stage)] : []),
    ...webhookQueue.map((use) => data.webhookQueue.allow(use)),
    ...(workflow.includes('start') ? [starting(name, parts)] : []),
    ...webhookKeys.map((use) => data.webhookKeys.allow(use)),
    ...secrets.map((of) => (of === 'engines' ? engineKeys.allow() : data.callbackKey.allow())),
    ...knows.map((fact) => ({ settings: facts[fact](parts) ?? {} })),
  ];
}
