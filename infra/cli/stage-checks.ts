/** Checks what a deployed stage needs but a deployment cannot provide; each check says what to do if it is missing. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { type KeyName, keyNames } from '../key-names.ts';
import { type Deployment, keySecretOf } from './deployed-service.ts';
import { type QuotaName, quotaUses, reachOf } from './stage-quotas.ts';

type Finding = Readonly<{
  /** The state of a requirement; `unknown` if the command cannot determine it. */
  status: 'ok' | 'missing' | 'unknown';
  detail: string;
}>;

export type StageCheck = Finding & Readonly<{ check: string }>;

/** The concurrency quota of an established AWS account; a new one may have only 10. */
const wantedConcurrency = 1000;

const patienceMs = 10_000;

const ok = (detail: string): Finding => ({ status: 'ok', detail });
const missing = (detail: string): Finding => ({ status: 'missing', detail });
const unknown = (detail: string): Finding => ({ status: 'unknown', detail });

/** Checks the secret's existence only; its value is never read. */
async function storedSecret(SecretId: string, advice: string): Promise<Finding> {
  const client = new SecretsManagerClient();
  try {
    const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }));
    if (!DeletedDate) return ok(`in the secret ${SecretId}`);
    return missing(`the secret ${SecretId} is scheduled for deletion: restore it`);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return missing(advice);
  } finally {
    client.destroy();
  }
}

const providerKey = (name: KeyName, secret: string): Promise<Finding> =>
  storedSecret(secret, `store it with "engine set-key --engine ${name}"`);

/** Checks whether results are marked; if not, repeats the reason that the stage gives. */
const contentCredentials = async ({
  ContentCredentialsOff: reason,
  ContentCertificatesSecret = '',
}: Deployment['outputs']) =>
  reason === undefined
    ? storedSecret(ContentCertificatesSecret, 'certify the key that signs results with "content certify"')
    : ok(`results are not marked: ${reason}`);

async function alarmRecipients({ AlarmTopicArn: TopicArn = '' }: Deployment['outputs']): Promise<Finding> {
  const client = new SNSClient();
  const { Subscriptions = [] } = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  client.destroy();
  const pending = Subscriptions.filter(({ SubscriptionArn = '' }) => !SubscriptionArn.startsWith('arn:'));
  const endpoints = (some: typeof Subscriptions) => some.map(({ Endpoint = '' }) => Endpoint).join(', ');
  if (Subscriptions.length === 0)
    return missing('alarms notify no one: set alarmEmail or alarmUrl in cdk.json and deploy');
  if (pending.length > 0) return missing(`not confirmed by ${endpoints(pending)}: open the link that SNS sent`);
  return ok(endpoints(Subscriptions));
}

async function api({ ApiUrl = '' }: Deployment['outputs']): Promise<Finding> {
  const response = await fetch(`${ApiUrl}/api/v1/health`, { signal: AbortSignal.timeout(patienceMs) });
  const { data } = (await response.json()) as { data?: { status: string; checks: Readonly<Record<string, string>> } };
  if (data?.status === 'ok') return ok(ApiUrl);
  const failing = Object.entries(data?.checks ?? {}).filter(([, state]) => state !== 'ok');
  return missing(`${ApiUrl} responds with ${response.status}; failing: ${failing.map(([name]) => name).join(', ')}`);
}

/**
 * Requests an unknown callback URL, which must be rejected by the function behind the route and not by anything before
 * it.
 */
async function engineCallbacks({ ApiUrl = '', Engines = '' }: Deployment['outputs']): Promise<Finding> {
  const { method, path } = inboundRoutes.receiveEngineCallback;
  const [engine = ''] = Engines.split(',');
  const url = `${ApiUrl}${path.replace('{engine}', engine).replace('{address}', 'check')}`;
  const response = await fetch(url, { method, body: '{}', signal: AbortSignal.timeout(patienceMs) });
  await response.body?.cancel();
  if (response.status === 404) return ok('engines reach the API from wherever this command reaches it');
  return missing(`${url} responds with ${response.status} where 404 is expected`);
}

async function concurrency(): Promise<Finding> {
  const client = new LambdaClient();
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
  client.destroy();
  const limit = AccountLimit?.ConcurrentExecutions ?? 0;
  if (limit >= wantedConcurrency) return ok(`${limit} concurrent executions`);
  return missing(`${limit} concurrent executions: request ${wantedConcurrency} in Service Quotas`);
}

/** Quotas are not required to have a certain value, so the check only says how many tasks each allows. */
async function quota(name: QuotaName): Promise<Finding> {
  const reach = await reachOf(name);
  return reach === undefined ? unknown('Service Quotas does not name it: docs/scale.md has the default') : ok(reach);
}

const bedrockModels = async (): Promise<Finding> =>
  unknown('an administrator must have invoked each model in the catalog once');

/** Runs a check; one that fails is reported and does not affect the others. */
async function perform(check: string, find: () => Promise<Finding>): Promise<StageCheck> {
  try {
    return { check, ...(await find()) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { check, ...unknown(cause instanceof Error ? `${message}: ${cause.message}` : message) };
  }
}

export function checkStage({ outputs }: Deployment): Promise<readonly StageCheck[]> {
  const engines = (outputs.Engines ?? '').split(',');
  const keys = keyNames.flatMap((name) => {
    const secret = keySecretOf(outputs, name);
    return secret ? [perform(`key of ${name}`, () => providerKey(name, secret))] : [];
  });
  return Promise.all([
    ...keys,
    ...(engines.includes('bedrock') ? [perform('models of bedrock', bedrockModels)] : []),
    perform('Content Credentials', () => contentCredentials(outputs)),
    perform('alarm recipients', () => alarmRecipients(outputs)),
    perform('API', () => api(outputs)),
    perform('engine callbacks', () => engineCallbacks(outputs)),
    perform('Lambda concurrency', concurrency),
    ...(Object.keys(quotaUses) as QuotaName[]).map((name) => perform(`quota of ${name}`, () => quota(name))),
  ]);
}
