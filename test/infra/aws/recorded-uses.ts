/** Records which AWS actions each function uses while it runs locally, named as in IAM, and which settings it reads. */
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnosticsChannel from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { pascalCase } from '../../../infra/aws/pascal-case.ts';
import { type LocalFunctions, wrapFunctions } from '../../../infra/local/functions.ts';
import { workflowNames } from '../../../shared/contracts/workflow.ts';
import type { SettingValues } from '../../../shared/platform/setting-values.ts';
import { type Settings, settingsOf, settingVariables } from '../../../shared/platform/settings.ts';

export interface Use {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** The partition keys that the request concerns. */
  readonly keys: readonly string[];
}

type Access = Omit<Use, 'functionName'>;

type Attribute = { readonly S?: string } | undefined;
type Item = Readonly<Record<string, Attribute>>;

/** The parts of DynamoDB's requests that identify items. */
interface DynamoRequest {
  readonly Item?: Item;
  readonly Key?: Item;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, DynamoRequest>>[];
}

const partition = (item: Item | undefined): string => item?.pk?.S ?? '';

const onItems = (operation: string, items: readonly (Item | undefined)[]): Access => ({
  action: `dynamodb:${operation}`,
  resource: 'table',
  keys: items.map(partition),
});

function query({ IndexName, KeyConditionExpression = '', ExpressionAttributeValues = {} }: DynamoRequest): Access {
  const [, value = ''] = / = (:\w+)/.exec(KeyConditionExpression) ?? [];
  return {
    action: 'dynamodb:Query',
    resource: IndexName ? `table/index/${IndexName}` : 'table',
    keys: [ExpressionAttributeValues[value]?.S ?? ''],
  };
}

function dynamoAccesses(operation: string, request: DynamoRequest): Access[] {
  switch (operation) {
    case 'Query':
      return [query(request)];
    case 'BatchGetItem':
      return Object.values(request.RequestItems ?? {}).map(({ Keys }) => onItems(operation, Keys));
    case 'TransactWriteItems':
      return (request.TransactItems ?? []).flatMap((write) =>
        Object.entries(write).map(([kind, { Item, Key }]) => onItems(`${kind}Item`, [Item ?? Key])),
      );
    default:
      return [onItems(operation, [request.Item ?? request.Key])];
  }
}

interface StatesRequest {
  readonly stateMachineArn?: string;
  readonly executionArn?: string;
}

/** A task token does not show which workflow waits with it, so its use counts for all workflows. */
function statesAccesses(operation: string, { stateMachineArn, executionArn }: StatesRequest): Access[] {
  const action = `states:${operation}`;
  const named = (arn: string) => pascalCase(arn.split(':')[6] ?? '');
  if (executionArn) return [{ action, resource: `executions ${named(executionArn)}:*`, keys: [] }];
  const names = stateMachineArn ? [named(stateMachineArn)] : workflowNames.map(pascalCase);
  return names.map((name) => ({ action, resource: `workflow ${name}`, keys: [] }));
}

/** Uploads in parts are begun and completed by POST. */
const storageActions: Readonly<Record<string, string>> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  POST: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

const queueNames: Readonly<Record<string, string>> = {
  webhooks: 'webhook queue',
  'payment-events': 'payment queue',
  inbox: 'inbox queue',
  'webhooks-dead-letters': 'webhook dead letters',
  'payment-events-dead-letters': 'payment dead letters',
  'inbox-dead-letters': 'inbox dead letters',
};

/**
 * The operation of a request with a target in its headers, as all JSON protocols have; requests without one are for S3.
 */
function accessesOf(request: ClientRequest, body: string): Access[] {
  const [part = '', operation = ''] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (part.startsWith('DynamoDB')) return dynamoAccesses(operation, JSON.parse(body) as DynamoRequest);
  if (part === 'AWSStepFunctions') return statesAccesses(operation, JSON.parse(body) as StatesRequest);
  if (part === 'AmazonSQS') {
    const { QueueUrl = '' } = JSON.parse(body) as { readonly QueueUrl?: string };
    const resource = queueNames[QueueUrl.split('/').at(-1) ?? ''] ?? 'unknown queue';
    return [{ action: `sqs:${operation}`, resource, keys: [] }];
  }
  const [, emptied] = /^\/(results|inputs)\/?\?delete/.exec(request.path) ?? [];
  if (emptied) {
    const folders = new Set([...body.matchAll(/<Key>(\w+)\//g)].map(([, folder]) => folder));
    return [...folders].map((folder) => ({
      action: 's3:DeleteObject',
      resource: `${emptied}/${folder}/*`,
      keys: [],
    }));
  }
  const [, folder] = /^\/((?:results|inputs)\/[\w-]+)\//.exec(request.path) ?? [];
  const action = storageActions[request.method];
  return folder && action ? [{ action, resource: `${folder}/*`, keys: [] }] : [];
}

/** The variables of the settings that have a default: a stage need not give them to any function. */
export const optionalVariables = new Set<string>(
  Object.entries(settingVariables).flatMap(([name, variable]) => {
    try {
      return settingsOf({})[name as keyof SettingValues] ? [variable] : [];
    } catch {
      return [];
    }
  }),
);

export interface RecordedUses {
  /** The functions for the host whose uses of AWS are recorded. */
  readonly functions: LocalFunctions;
  readonly uses: readonly Use[];
  /** The variables of the settings that each function reads. */
  readonly settingsRead: ReadonlyMap<string, ReadonlySet<string>>;
  /** The settings, recorded when a function reads them. */
  settings(given: Settings): Settings;
  stop(): void;
}

export function recordUses(): RecordedUses {
  const caller = new AsyncLocalStorage<string>();
  const uses: Use[] = [];
  const settingsRead = new Map<string, Set<string>>();

  const listen = (message: unknown): void => {
    const functionName = caller.getStore();
    if (functionName === undefined) return;
    const { request } = message as { request: ClientRequest };
    const end = request.end.bind(request);
    const recordingEnd = (...given: unknown[]) => {
      const [body] = given;
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : '';
      uses.push(...accessesOf(request, text).map((access) => ({ functionName, ...access })));
      return end(...(given as Parameters<typeof end>));
    };
    request.end = recordingEnd as typeof request.end;
  };
  diagnosticsChannel.subscribe('http.client.request.created', listen);

  return {
    functions: wrapFunctions((name, handler) => (event, context) => caller.run(name, () => handler(event, context))),
    uses,
    settingsRead,
    settings: (given) =>
      new Proxy(given, {
        get(target, name: keyof Settings) {
          const reader = caller.getStore();
          if (reader !== undefined && name !== 'aws')
            settingsRead.set(reader, (settingsRead.get(reader) ?? new Set()).add(settingVariables[name]));
          return target[name];
        },
      }),
    stop: () => void diagnosticsChannel.unsubscribe('http.client.request.created', listen),
  };
}
