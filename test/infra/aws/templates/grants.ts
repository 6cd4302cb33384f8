/** What IAM allows each function: exactly its entry in the permission table, and never what is forbidden to all. */
import { describe, expect, test } from 'vitest';
import * as definitions from '../../../../functions/index.ts';
import type { FunctionGrants } from '../../../../infra/aws/function-grants.ts';
import { functionNames, grants } from '../../../../infra/aws/grants.ts';
import type { FunctionName } from '../../../../infra/hosting.ts';
import { connectionRoutes } from '../../../../shared/contracts/connecting.ts';
import { dashboardContracts } from '../../../../shared/contracts/dashboard.ts';
import { documentRoutes } from '../../../../shared/contracts/documents.ts';
import { inboundRoutes } from '../../../../shared/contracts/inbound.ts';
import { loginRoutes } from '../../../../shared/contracts/login.ts';
import { operateContracts } from '../../../../shared/contracts/operate.ts';
import { performers } from '../../../../shared/contracts/operate-acts.ts';
import { operatorLoginRoutes } from '../../../../shared/contracts/operate-login.ts';
import { registry } from '../../../../shared/contracts/registry.ts';
import { settingVariables } from '../../../../shared/platform/settings.ts';
import type { Definition } from '../../../../shared/runtime/context.ts';
import { createFullContext } from '../../../../shared/runtime/full-context.ts';
import { meanings } from '../grant-meanings.ts';
import { type Allowance, allowancesOfRole, allows, describeAllowance, functionsOf } from '../policies.ts';
import { synthesize } from '../synthesized.ts';

const service = synthesize('dev').service('dev');
const functions = functionsOf(service);

const meaningOf = (name: FunctionName, { table: _table, ...uses }: FunctionGrants): string[] => [
  `logs:CreateLogStream | log of ${name}`,
  `logs:PutLogEvents | log of ${name}`,
  'xray:PutTelemetryRecords | *',
  'xray:PutTraceSegments | *',
  ...Object.entries(meanings).flatMap(([part, words]) =>
    (uses[part as keyof typeof meanings] ?? []).flatMap(
      (use) => (words as Readonly<Record<string, readonly string[]>>)[use] ?? [],
    ),
  ),
];

const everybody = (): [FunctionName, Allowance][] =>
  functionNames.flatMap((name) =>
    functions[name].allowances.map((allowance) => [name, allowance] as [FunctionName, Allowance]),
  );

const whoMay = (may: (allowance: Allowance) => boolean): FunctionName[] => [
  ...new Set(
    everybody()
      .filter(([, allowance]) => may(allowance))
      .map(([name]) => name),
  ),
];

/** The permissions on the table are compared with their actual use in `used-grants.deep.test.ts`. */
test.each(functionNames)(
  'apart from access to the database table, %s has exactly the permissions of its entry in the list of grants',
  (name) => {
    const ofTable = ({ action }: Allowance) => action.startsWith('dynamodb:');
    const allowed = functions[name].allowances.filter((one) => !ofTable(one)).map(describeAllowance);
    expect(allowed.toSorted()).toEqual([...new Set(meaningOf(name, grants[name]))].toSorted());
  },
);

describe('no function is granted', () => {
  test('wildcards as actions, or as the whole resource of anything but traces', () => {
    expect(whoMay(({ action }) => action.includes('*'))).toEqual([]);
    expect(whoMay(({ action, resource }) => resource.startsWith('*') && !action.startsWith('xray:'))).toEqual([]);
  });

  test('permission for batch writes and scans', () => {
    expect(whoMay(({ action }) => /^dynamodb:(BatchWriteItem|Scan|PartiQL\w+)$/.test(action))).toEqual([]);
  });

  test('permission to delete items, except copied inbox data, connections of pages, and what closed accounts own', () => {
    const deletions = everybody().filter(
      ([name, { action }]) => action === 'dynamodb:DeleteItem' && name !== 'eraseClosedAccounts',
    );
    expect(deletions.length).toBeGreaterThan(0);
    const deleted = new Set(deletions.flatMap(([, { keys }]) => keys ?? ['anything']));
    expect([...deleted].toSorted()).toEqual(['CONNECTIONS#*', 'INBOX#*#*', 'PAGE#*#*']);
  });

  test('table access without a condition on the partition keys', () => {
    expect(whoMay(({ action, keys }) => action.startsWith('dynamodb:') && !keys?.length)).toEqual([]);
    expect(whoMay(({ keys }) => keys?.includes('*') ?? false)).toEqual([]);
  });

  test('permission to update or delete ledger rows', () => {
    const may = (action: string) =>
      functionNames.filter((name) =>
        allows(functions[name].allowances, { action, resource: 'table', keys: ['LEDGER#an-account'] }),
      );
    expect(may('dynamodb:UpdateItem')).toEqual([]);
    expect(may('dynamodb:DeleteItem')).toEqual([]);
    expect(may('dynamodb:PutItem')).not.toEqual([]);
    expect(may('dynamodb:Query').toSorted()).toEqual([
      'auditLedger',
      'cancelTask',
      'deleteTask',
      'finalize',
      'getCustomer',
      'getUsage',
      'listCreditHistory',
      'makeExports',
    ]);
  });
});

describe('the permissions for operators’ acts', () => {
  const acts = ['ACTS', 'ACTS#account/an-account', 'ACTS#catalog/prices'];
  const may = (action: string) =>
    functionNames.filter((name) =>
      acts.some((key) => allows(functions[name].allowances, { action, resource: 'table', keys: [key] })),
    );

  test('let no function update or delete the log of acts, and let only those that perform acts add to it', () => {
    expect(may('dynamodb:UpdateItem')).toEqual([]);
    expect(may('dynamodb:DeleteItem')).toEqual([]);
    expect(may('dynamodb:PutItem').toSorted()).toEqual(
      Object.values(performers)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
  });

  test('let no function that support may call change what only administrators may change, such as prices', () => {
    const changers = functionNames.filter((name) =>
      allows(functions[name].allowances, { action: 'dynamodb:UpdateItem', resource: 'table', keys: ['CATALOG'] }),
    );
    expect(changers).toEqual(['performAdminAct']);
  });
});

describe('restricted grants:', () => {
  test('only functions that erase deleted tasks or closed accounts delete results', () => {
    const deleters = whoMay(({ action, resource }) => action === 's3:DeleteObject' && resource.startsWith('results/'));
    expect(deleters).toEqual(['deleteTask', 'eraseClosedAccounts', 'sweepTasks']);
  });

  test('only token creation and the delivery worker derive webhook tokens, and only the worker signs webhooks', () => {
    expect(whoMay(({ action }) => action === 'kms:GenerateMac')).toEqual(['createToken', 'deliverWebhook']);
    const mayUse = (key: string) => whoMay(({ action, resource }) => action === 'kms:Sign' && resource === key);
    expect(mayUse('signing key')).toEqual(['deliverWebhook']);
    expect(mayUse('content key')).toEqual(['finalize']);
    expect(whoMay(({ action }) => action === 'kms:GetPublicKey')).toEqual(['listWebhookKeys']);
    expect(whoMay(({ action }) => /^kms:(?!Encrypt|Decrypt)/.test(action))).toEqual([
      'listWebhookKeys',
      'createToken',
      'finalize',
      'deliverWebhook',
    ]);
  });

  test('only functions that connect or act for pages decrypt their tokens, and only those that connect or renew encrypt them', () => {
    expect(whoMay(({ action }) => action === 'kms:Decrypt')).toEqual([
      'chooseConnection',
      'removeConnection',
      'performConnectionAct',
      'sendMessage',
      'markConversationRead',
      'replyToComment',
      'hideComment',
      'unhideComment',
      'likeComment',
      'unlikeComment',
      'receiveSocialWithdrawal',
      'processInboxMessage',
      'eraseClosedAccounts',
    ]);
    const sealing = ['completeConnection', 'chooseConnection', 'processInboxMessage'];
    expect(whoMay(({ action }) => action === 'kms:Encrypt')).toEqual(sealing);
  });

  test('only functions that call engines or handle their callbacks read engines’ keys', () => {
    const readers = [
      'cancelTask',
      'deleteTask',
      'createStudioProduct',
      'performTaskAct',
      'receiveEngineCallback',
      'askClipEngine',
      'rankClips',
      'askEngine',
      'finalize',
      'eraseClosedAccounts',
      'settleExecution',
      'sweepTasks',
    ];
    expect(whoMay(({ resource }) => resource.startsWith('secret generation-service/dev/engines/'))).toEqual(readers);
    expect(whoMay(({ resource }) => resource === 'callback key')).toEqual([
      'receiveEngineCallback',
      'askClipEngine',
      'askEngine',
    ]);
  });
});

/**
 * Substitutes for values that are known only at deployment, with as much detail as ports check: which ones are ARNs.
 */
const deployed = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replaceAll(/<[^>]*Arn[^>]*>/g, 'arn:aws:x:y:z')]),
  );

describe('the environment of a function', () => {
  const { operations, dashboard, operate, navigations, inbound, documents, steps, queueConsumers, background } =
    definitions;
  const defined: Readonly<Record<string, Definition<unknown>>> = {
    ...operations,
    ...dashboard,
    ...operate,
    ...navigations,
    ...inbound,
    ...documents,
    ...steps,
    ...queueConsumers,
    ...background,
  };

  test.each(functionNames)('is sufficient for %s to create its ports', (name) => {
    const environment = { AWS_REGION: 'us-east-1', ...deployed(functions[name].environment) };
    const context = createFullContext(environment);
    const { ports } = defined[name] ?? {};
    if (!ports) throw new Error(`${name} does not say what creates its ports`);
    for (const create of Object.values(ports)) expect(() => create(context)).not.toThrow();
  });

  test('lists the stage’s engines if the function chooses or calls engines', () => {
    const choosing = Object.values(registry).filter(({ path }) => path.startsWith('/api/v1/generate/'));
    const speaking = functionNames.filter((name) => grants[name].secrets?.includes('engines'));
    expect(speaking.length).toBeGreaterThan(0);
    for (const name of [...choosing.map(({ operationId }) => operationId), ...speaking]) {
      expect(functions[name].environment.ENGINES, name).toBe('fal');
    }
  });

  test('has only variables that the service reads', () => {
    const variables = new Set<string>(Object.values(settingVariables));
    const names = functionNames.flatMap((name) => Object.keys(functions[name].environment));
    expect(names.filter((variable) => !variables.has(variable))).toEqual([]);
  });

  test('contains no secret and no key, only their locations', () => {
    const secret = [settingVariables.engineCallbackKey, settingVariables.falKey, settingVariables.webhookTokenKey];
    const values = functionNames.flatMap((name) =>
      secret.flatMap((variable) => functions[name].environment[variable] ?? []),
    );
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !/^(arn:|<GenerationService-dev-Data:ExportsOutput)/.test(value))).toEqual([]);
  });
});

describe('the roles of AWS services', () => {
  const roleOf = (id: RegExp) => {
    const [found] = Object.keys(service.ofType('AWS::IAM::Role')).filter((name) => id.test(name));
    return allowancesOfRole(service, found ?? '').map(describeAllowance);
  };

  test('allow the state machine to call only its steps, apart from logs and traces', () => {
    const allowed = roleOf(/^WorkflowsGenerateStateMachineRole/).filter((line) => !/^(logs|xray):/.test(line));
    const steps = ['askEngine', 'completeCopy', 'copyPart', 'finalize', 'planCopy'];
    expect(allowed).toEqual(steps.map((name) => `lambda:InvokeFunction | function ${name}`));
  });

  test('allow the API to call only functions with routes', () => {
    const named = roleOf(/^ApiInvoker/).map((line) => line.replace('lambda:InvokeFunction | function ', ''));
    expect(named.toSorted()).toEqual(
      Object.keys({
        ...registry,
        ...dashboardContracts,
        ...operateContracts,
        ...loginRoutes,
        ...operatorLoginRoutes,
        ...connectionRoutes,
        ...documentRoutes,
        ...inboundRoutes,
      }).toSorted(),
    );
  });
});
