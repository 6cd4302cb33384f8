/** What the environment says of where the service runs; each value is read when it is first needed. */
import { type AwsAccess, type AwsService, awsAccess } from './aws-access.ts';
import type { UrlPolicy } from './url-policy.ts';

export interface SettingValues {
  readonly tableName: string;
  readonly resultsBucket: string;
  readonly inputsBucket: string;
  readonly webhookQueueUrl: string;
  /** The state machine of each workflow: `generate=<ARN>`, separated by commas. */
  readonly stateMachineArns: string;
  /** Where this service is reached from outside, without a trailing slash. */
  readonly apiUrl: string;
  /** Where results are served, without a trailing slash. */
  readonly resultsUrl: string;
  readonly urlPolicy: UrlPolicy;
  /** Names the service in its `User-Agent`. */
  readonly serviceName: string;
  readonly version: string;
  /** Under which name CloudWatch keeps the service's metrics. */
  readonly metricsNamespace: string;
  /** `true` where nobody reads metrics from the log. */
  readonly metricsDisabled: string;
  /** Makes the addresses that engines call back secret: the key, or the ARN of the secret that holds it. */
  readonly engineCallbackKey: string;
  /** The key that webhook tokens are derived with: the ARN of a KMS key, or a file with its bytes. */
  readonly webhookTokenKey: string;
  /** The keys that webhooks are signed with: ARNs of KMS keys separated by commas, the newest first, or a folder. */
  readonly webhookSigningKeys: string;
  /** The names of the engines that make what the catalog says nothing of, the first choice first, with commas between. */
  readonly engines: string;
  readonly offlineEngineUrl: string;
  /** The key, or the ARN of the secret that holds it. */
  readonly offlineEngineKey: string;
  /** Whether the offline engine calls back or is asked. */
  readonly offlineEngineCompletion: 'callback' | 'polling';
  /** Where fal.ai takes jobs, and where the keys are that it signs callbacks with. */
  readonly falQueueUrl: string;
  readonly falJwksUrl: string;
  /** The key, or the ARN of the secret that holds it. */
  readonly falKey: string;
  /** Where the models of Bedrock are. */
  readonly bedrockRegion: string;
}

export interface Settings extends SettingValues {
  /** How a client finds an AWS service. */
  readonly aws: (service: AwsService) => AwsAccess;
}

/** The environment variable of each setting. */
export const settingVariables = {
  tableName: 'TABLE_NAME',
  resultsBucket: 'RESULTS_BUCKET',
  inputsBucket: 'INPUTS_BUCKET',
  webhookQueueUrl: 'WEBHOOK_QUEUE_URL',
  stateMachineArns: 'STATE_MACHINE_ARNS',
  apiUrl: 'API_URL',
  resultsUrl: 'RESULTS_URL',
  urlPolicy: 'URL_POLICY',
  serviceName: 'SERVICE_NAME',
  version: 'SERVICE_VERSION',
  metricsNamespace: 'METRICS_NAMESPACE',
  metricsDisabled: 'POWERTOOLS_METRICS_DISABLED',
  engineCallbackKey: 'ENGINE_CALLBACK_KEY',
  webhookTokenKey: 'WEBHOOK_TOKEN_KEY',
  webhookSigningKeys: 'WEBHOOK_SIGNING_KEYS',
  engines: 'ENGINES',
  offlineEngineUrl: 'OFFLINE_ENGINE_URL',
  offlineEngineKey: 'OFFLINE_ENGINE_KEY',
  offlineEngineCompletion: 'OFFLINE_ENGINE_COMPLETION',
  falQueueUrl: 'FAL_QUEUE_URL',
  falJwksUrl: 'FAL_JWKS_URL',
  falKey: 'FAL_KEY',
  bedrockRegion: 'BEDROCK_REGION',
} as const satisfies Record<keyof SettingValues, string>;

/** What metrics are kept under, too. */
export const defaultServiceName = 'GenerationService';

const defaults: Partial<Record<keyof SettingValues, string>> = {
  urlPolicy: 'public',
  serviceName: defaultServiceName,
  version: '1.0.0',
  metricsNamespace: 'GenerationService',
  metricsDisabled: 'false',
  engines: 'offline',
  offlineEngineCompletion: 'callback',
  bedrockRegion: 'us-west-2',
  falQueueUrl: 'https://queue.fal.run',
  falJwksUrl: 'https://rest.fal.ai/.well-known/jwks.json',
};

/** Settings that read the environment at each use: a function needs only the variables of what it does. */
export function settingsOf(
  environment: Readonly<Record<string, string | undefined>>,
  connect = (access: AwsAccess): AwsAccess => access,
): Settings {
  const read = (setting: keyof SettingValues): string => {
    const value = environment[settingVariables[setting]] ?? defaults[setting];
    if (!value) throw new Error(`the environment variable ${settingVariables[setting]} is not set`);
    return value;
  };
  const names = Object.keys(settingVariables) as (keyof SettingValues)[];
  const getters = names.map((name) => [name, { enumerable: true, get: () => read(name) }] as const);
  const aws = (service: AwsService) => connect(awsAccess(environment, service));
  return Object.defineProperties({ aws }, Object.fromEntries(getters)) as Settings;
}
