/** The IAM policies of a synthesized service, as readable lines. */
import type { FunctionName } from '../../../infra/hosting.ts';
import { matchesPattern } from './matches-pattern.ts';
import { type StackTemplate, textOf } from './synthesized.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: {
    readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys'?: readonly string[] };
    readonly StringEquals?: Readonly<Record<string, unknown>>;
  };
}

interface PolicyDocument {
  readonly Statement: readonly Statement[];
}

interface FunctionProperties {
  readonly Description: string;
  readonly Role: unknown;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

/** One action on one resource. */
export interface Allowance {
  readonly action: string;
  readonly resource: string;
  /** Patterns of partition keys; if there are none, the permission applies to all items. */
  readonly keys?: readonly string[];
}

/** The names of the service's resources in these tests, by the beginnings of their names in templates. */
const resourceNames: readonly [RegExp, string][] = [
  [/^<[^>]*OutputFnGetAttTable[^>]*Arn[^>]*>/, 'table'],
  [/^<[^>]*OutputFnGetAttResultsBucket[^>]*Arn[^>]*>/, 'results'],
  [/^<[^>]*OutputFnGetAttInputsBucket[^>]*Arn[^>]*>/, 'inputs'],
  [/^<[^>]*OutputFnGetAttWebhooksDeadLetters[^>]*Arn[^>]*>/, 'webhook dead letters'],
  [/^<[^>]*OutputFnGetAttPaymentEventsDeadLetters[^>]*Arn[^>]*>/, 'payment dead letters'],
  [/^<[^>]*OutputFnGetAttInboxDeadLetters[^>]*Arn[^>]*>/, 'inbox dead letters'],
  [/^<[^>]*OutputFnGetAttWebhooksQueue[^>]*Arn[^>]*>/, 'webhook queue'],
  [/^<[^>]*OutputFnGetAttPaymentEventsQueue[^>]*Arn[^>]*>/, 'payment queue'],
  [/^<[^>]*OutputFnGetAttInboxQueue[^>]*Arn[^>]*>/, 'inbox queue'],
  [/^<[^>]*OutputFnGetAttCredentialsKey[^>]*Arn[^>]*>/, 'credentials key'],
  [/^<[^>]*OutputFnGetAttContentKey[^>]*Arn[^>]*>/, 'content key'],
  [/^<[^>]*OutputFnGetAttWebhookKeystokens[^>]*Arn[^>]*>/, 'token key'],
  [/^<[^>]*OutputFnGetAttWebhookKeyssigning[^>]*Arn[^>]*>/, 'signing key'],
  [/^<[^>]*OutputRefCallbackKeySecret[^>]*>/, 'callback key'],
  [/^<PagesSecret[^>]*>$/, 'client secret Pages'],
  [/^<OperatorsSecret[^>]*>$/, 'client secret Operators'],
  [/^<PasswordsSecret[^>]*>$/, 'client secret Passwords'],
  [/^<Users\w{8}\.Arn>$/, 'user pool'],
  [/^arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:/, 'secret '],
  [/^<Workflows(\w+)StateMachine[^.>]*>$/, 'workflow $1'],
  [/^arn:<AWS::Partition>:states:.*:stateMachine:GenerationService-\w+-(\w+)$/, 'workflow $1'],
  [/^arn:<AWS::Partition>:states:.*:execution:GenerationService-\w+-(\w+)/, 'executions $1'],
  [
    /^arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<Workflows(\w+)StateMachine[^>]*\.Name>/,
    'executions $1',
  ],
  [/^<Functions(\w+)Log\w{8}\.Arn>$/, 'log of $1'],
  [/^<Functions(\w+)Live\w{8}>$/, 'function $1'],
];

function resourceName(resource: unknown): string {
  const text = textOf(resource);
  const [pattern, name] = resourceNames.find(([known]) => known.test(text)) ?? [/$/, ''];
  return text.replace(pattern, name);
}

/** Conditions on other parts of a request, which are ignored here. */
const narrowings = new Set(['iam:PassedToService', 'transcribe:OutputBucketName']);

const allowancesOf = ({ Statement }: PolicyDocument): Allowance[] =>
  Statement.flatMap(({ Effect, Action, Resource, Condition }) => {
    if (Effect !== 'Allow') throw new Error('a role is allowed things, and denied none');
    const keys = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    const [narrowing = ''] = Object.keys(Condition?.StringEquals ?? {});
    if (Condition && !keys && !narrowings.has(narrowing))
      throw new Error('there is a condition that this does not know');
    return [Action]
      .flat()
      .flatMap((action) =>
        [Resource].flat().map((resource) => ({ action, resource: resourceName(resource), ...(keys && { keys }) })),
      );
  });

/** The permissions of a role, from its own policies and attached ones. */
export function allowancesOfRole(service: StackTemplate, roleId: string): Allowance[] {
  const roles = service.ofType<{ Policies?: { PolicyDocument: PolicyDocument }[]; ManagedPolicyArns?: unknown[] }>(
    'AWS::IAM::Role',
  );
  type Attached = { Roles?: { Ref: string }[]; PolicyDocument: PolicyDocument };
  // Statements that do not fit into a role's own policies are in managed policies that only this role has.
  const policies = [
    ...Object.values(service.ofType<Attached>('AWS::IAM::Policy')),
    ...Object.values(service.ofType<Attached>('AWS::IAM::ManagedPolicy')),
  ];
  const role = roles[roleId];
  if (!role) throw new Error(`there is no role ${roleId}`);
  if (role.Properties.ManagedPolicyArns) throw new Error(`the role ${roleId} has managed policies`);
  const attached = policies.filter(({ Properties }) => Properties.Roles?.some(({ Ref }) => Ref === roleId));
  const documents = [...(role.Properties.Policies ?? []), ...attached.map(({ Properties }) => Properties)];
  return documents.flatMap(({ PolicyDocument }) => allowancesOf(PolicyDocument));
}

export const describeAllowance = ({ action, resource, keys }: Allowance): string =>
  [action, resource, ...(keys ? [keys.join(' ')] : [])].join(' | ');

export interface DeployedFunction {
  readonly allowances: readonly Allowance[];
  /** The variables of a function's environment, and their values. */
  readonly environment: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function functionsOf(service: StackTemplate): Readonly<Record<FunctionName, DeployedFunction>> {
  const found = Object.values(service.ofType<FunctionProperties>('AWS::Lambda::Function')).map(({ Properties }) => {
    const [, name] = Properties.Description.split(': ');
    const roleId = textOf(Properties.Role).slice(1, -'.Arn>'.length);
    const variables = Object.entries(Properties.Environment.Variables);
    const environment = Object.fromEntries(variables.map(([variable, value]) => [variable, textOf(value)]));
    return [name, { allowances: allowancesOfRole(service, roleId), environment, properties: Properties }];
  });
  return Object.fromEntries(found) as Record<FunctionName, DeployedFunction>;
}

/** Whether some of these permissions allow an action on items with these partition keys. */
export const allows = (
  allowances: readonly Allowance[],
  asked: { readonly action: string; readonly resource: string; readonly keys: readonly string[] },
): boolean =>
  allowances.some(
    ({ action, resource, keys }) =>
      action === asked.action &&
      resource === asked.resource &&
      asked.keys.every((key) => keys === undefined || keys.some((pattern) => matchesPattern(pattern, key))),
  );
