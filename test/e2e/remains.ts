/** Lists everything that an emulator contains, regardless of its creator. */
import { AwsClient } from 'aws4fetch';
import { type EmulatedStage, emulatorEnvironment } from '../../infra/emulator/emulated-stage.ts';

interface Question {
  readonly service: string;
  /** The path that lists resources of a service with REST URLs. */
  readonly path?: string;
  /** The target that lists resources of a service with a JSON protocol. */
  readonly target?: string;
  /** The action that lists resources of a service with a form protocol. */
  readonly form?: string;
  /** Matches each name in the response, as its first group. */
  readonly names: RegExp;
}

const json = (service: string, target: string, names: RegExp): Question => ({ service, target, names });
const form = (service: string, form: string, names: RegExp): Question => ({ service, form, names });
const rest = (service: string, path: string, names: RegExp): Question => ({ service, path, names });

/** A deployed stage has resources of each kind. */
const questions: Readonly<Record<string, Question>> = {
  // LocalStack still lists stacks that it has deleted.
  stack: form(
    'cloudformation',
    'Action=ListStacks&Version=2010-05-15',
    /<StackName>([^<]+)(?=(?:(?!<\/member>).)*<StackStatus>(?!DELETE_COMPLETE))/gs,
  ),
  bucket: rest('s3', '/', /<Name>([^<]+)/g),
  table: json('dynamodb', 'DynamoDB_20120810.ListTables', /"([^"]+)"(?=[,\]])/g),
  queue: json('sqs', 'AmazonSQS.ListQueues', /"(http[^"]+)"/g),
  topic: form('sns', 'Action=ListTopics&Version=2010-03-31', /<TopicArn>([^<]+)/g),
  function: rest('lambda', '/2015-03-31/functions/', /"FunctionName": ?"([^"]+)"/g),
  'event source': rest('lambda', '/2015-03-31/event-source-mappings/', /"UUID": ?"([^"]+)"/g),
  API: rest('apigateway', '/restapis', /"name": ?"([^"]+)"/g),
  'state machine': json('states', 'AWSStepFunctions.ListStateMachines', /"stateMachineArn": ?"([^"]+)"/g),
  rule: json('events', 'AWSEvents.ListRules', /"Name": ?"([^"]+)"/g),
  'log group': json('logs', 'Logs_20140328.DescribeLogGroups', /"logGroupName": ?"([^"]+)"/g),
  alarm: form('monitoring', 'Action=DescribeAlarms&Version=2010-08-01', /<AlarmName>([^<]+)/g),
  dashboard: form('monitoring', 'Action=ListDashboards&Version=2010-08-01', /<DashboardName>([^<]+)/g),
  secret: json('secretsmanager', 'secretsmanager.ListSecrets', /"Name": ?"([^"]+)"/g),
  parameter: json('ssm', 'AmazonSSM.DescribeParameters', /"Name": ?"([^"]+)"/g),
  repository: json('ecr', 'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories', /"repositoryName": ?"([^"]+)"/g),
  role: form('iam', 'Action=ListRoles&Version=2010-05-08', /<RoleName>([^<]+)/g),
  // Lists aliases of KMS keys, because the keys themselves are only scheduled for deletion, as on AWS.
  'key alias': json('kms', 'TrentService.ListAliases', /"AliasName": ?"([^"]+)"/g),
};

/** The response; undefined if the emulator does not have the service. */
async function responseTo(
  stage: EmulatedStage,
  { service, path = '/', target, form: body }: Question,
): Promise<string | undefined> {
  const environment = emulatorEnvironment(stage);
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment;
  const region = environment.AWS_REGION ?? '';
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service, retries: 0 });
  const version = service === 'dynamodb' || service === 'sqs' || service === 'states' ? '1.0' : '1.1';
  const asked = target && { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target };
  const headers = asked || { 'content-type': 'application/x-www-form-urlencoded' };
  const init = target || body ? { method: 'POST', headers, body: body ?? '{}' } : { method: 'GET' };
  const response = await client.fetch(`${stage.emulatorUrl}${path}`, init);
  const text = await response.text();
  if (response.status === 501) return undefined;
  if (!response.ok) throw new Error(`${service} cannot be listed: ${response.status} ${text}`);
  return text;
}

/** The names of all resources, by kind, without services that the emulator lacks. */
async function inventory(stage: EmulatedStage): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [kind, question] of Object.entries(questions)) {
    const text = await responseTo(stage, question);
    if (text === undefined) continue;
    found.set(
      kind,
      [...text.matchAll(question.names)].map(([, name = '']) => name),
    );
  }
  return found;
}

/**
 * For a deployed stage: proves that any leftovers would be found later. `dropped` are the kinds that the emulator
 * accepts but does not store. @throws {Error}
 */
export async function requireEverything(stage: EmulatedStage, dropped: readonly string[]): Promise<void> {
  const empty = [...(await inventory(stage))].filter(([, names]) => names.length === 0).map(([kind]) => kind);
  const missing = empty.filter((kind) => !dropped.includes(kind));
  if (missing.length > 0) throw new Error(`The emulator lists no ${missing.join(', ')}, although a stage is deployed.`);
}

/** Checks that nothing is left. @throws {Error} that names everything left */
export async function requireNothing(stage: EmulatedStage): Promise<void> {
  const left = [...(await inventory(stage))].filter(([, names]) => names.length > 0);
  const lines = left.map(([kind, names]) => `  ${kind}: ${names.join(', ')}`);
  if (lines.length > 0) throw new Error(`The emulator is not empty:\n${lines.join('\n')}`);
}
