/** The service's settings, from environment variables; each is read when it is first needed. */
import { type AwsAccess, type AwsService, awsAccess } from './aws-access.ts';
import type { SettingValues } from './setting-values.ts';

export interface Settings extends SettingValues {
  /** How clients reach an AWS service. */
  readonly aws: (service: AwsService) => AwsAccess;
}

/** The name of the environment variable of each setting. */
export const settingVariables = {
  tableName: 'TABLE_NAME',
  resultsBucket: 'RESULTS_BUCKET',
  inputsBucket: 'INPUTS_BUCKET',
  uploadsUrl: 'UPLOADS_URL',
  webhookQueueUrl: 'WEBHOOK_QUEUE_URL',
  paymentQueueUrl: 'PAYMENT_QUEUE_URL',
  inboxQueueUrl: 'INBOX_QUEUE_URL',
  webhookDeadLettersUrl: 'WEBHOOK_DEAD_LETTERS_URL',
  paymentDeadLettersUrl: 'PAYMENT_DEAD_LETTERS_URL',
  inboxDeadLettersUrl: 'INBOX_DEAD_LETTERS_URL',
  stateMachineArns: 'STATE_MACHINE_ARNS',
  apiUrl: 'API_URL',
  dashboardUrl: 'DASHBOARD_URL',
  identityIssuer: 'IDENTITY_ISSUER',
  identityKeysUrl: 'IDENTITY_KEYS_URL',
  identityUrl: 'IDENTITY_URL',
  identityClient: 'IDENTITY_CLIENT',
  identityClientSecret: 'IDENTITY_CLIENT_SECRET',
  passwordClient: 'PASSWORD_CLIENT',
  passwordClientSecret: 'PASSWORD_CLIENT_SECRET',
  operatorIdentityIssuer: 'OPERATOR_IDENTITY_ISSUER',
  operatorIdentityKeysUrl: 'OPERATOR_IDENTITY_KEYS_URL',
  operatorIdentityUrl: 'OPERATOR_IDENTITY_URL',
  operatorIdentityClient: 'OPERATOR_IDENTITY_CLIENT',
  operatorIdentityClientSecret: 'OPERATOR_IDENTITY_CLIENT_SECRET',
  confirmationPrompt: 'CONFIRMATION_PROMPT',
  signUp: 'SIGN_UP',
  signUpCredits: 'SIGN_UP_CREDITS',
  resultsUrl: 'RESULTS_URL',
  resultsRetentionDays: 'RESULTS_RETENTION_DAYS',
  publishedRetentionDays: 'PUBLISHED_RETENTION_DAYS',
  localFilesUrl: 'LOCAL_FILES_URL',
  urlPolicy: 'URL_POLICY',
  likenessConsent: 'LIKENESS_CONSENT',
  serviceName: 'SERVICE_NAME',
  version: 'SERVICE_VERSION',
  metricsNamespace: 'METRICS_NAMESPACE',
  metricsDisabled: 'POWERTOOLS_METRICS_DISABLED',
  engineCallbackKey: 'ENGINE_CALLBACK_KEY',
  webhookTokenKey: 'WEBHOOK_TOKEN_KEY',
  webhookSigningKeys: 'WEBHOOK_SIGNING_KEYS',
  credentialsKey: 'CREDENTIALS_KEY',
  contentSigningKey: 'CONTENT_SIGNING_KEY',
  contentCertificates: 'CONTENT_CERTIFICATES',
  timeStampUrl: 'TIME_STAMP_URL',
  unmarkedResults: 'UNMARKED_RESULTS',
  engines: 'ENGINES',
  offlineEngineUrl: 'OFFLINE_ENGINE_URL',
  offlineEngineKey: 'OFFLINE_ENGINE_KEY',
  offlineEngineCompletion: 'OFFLINE_ENGINE_COMPLETION',
  falQueueUrl: 'FAL_QUEUE_URL',
  falRunUrl: 'FAL_RUN_URL',
  falJwksUrl: 'FAL_JWKS_URL',
  falKey: 'FAL_KEY',
  elevenLabsUrl: 'ELEVENLABS_URL',
  elevenLabsKey: 'ELEVENLABS_KEY',
  klapUrl: 'KLAP_URL',
  klapKey: 'KLAP_KEY',
  vizardUrl: 'VIZARD_URL',
  vizardKey: 'VIZARD_KEY',
  youtubeUrl: 'YOUTUBE_URL',
  youtubeKey: 'YOUTUBE_KEY',
  bedrockRegion: 'BEDROCK_REGION',
  mediaConvertRole: 'MEDIACONVERT_ROLE',
  mediaConvertQueue: 'MEDIACONVERT_QUEUE',
  clipCropping: 'CLIP_CROPPING',
  stageName: 'STAGE_NAME',
  pixGateway: 'PIX_GATEWAY',
  mercadoPagoUrl: 'MERCADO_PAGO_URL',
  pixSandboxUrl: 'PIX_SANDBOX_URL',
  mercadoPagoToken: 'MERCADO_PAGO_TOKEN',
  mercadoPagoWebhookSecret: 'MERCADO_PAGO_WEBHOOK_SECRET',
  subscriptionGateway: 'SUBSCRIPTION_GATEWAY',
  stripeUrl: 'STRIPE_URL',
  stripeKey: 'STRIPE_KEY',
  stripeWebhookSecret: 'STRIPE_WEBHOOK_SECRET',
  stripeReturnUrl: 'STRIPE_RETURN_URL',
  metaVersion: 'META_VERSION',
  metaInstagramApp: 'META_INSTAGRAM_APP',
  metaFacebookApp: 'META_FACEBOOK_APP',
  metaInstagramSecrets: 'META_INSTAGRAM_SECRETS',
  metaFacebookSecrets: 'META_FACEBOOK_SECRETS',
  metaVerifyToken: 'META_VERIFY_TOKEN',
  metaSandboxUrl: 'META_SANDBOX_URL',
} as const satisfies Record<keyof SettingValues, string>;

/** The default service name, which is also the default namespace of the metrics. */
export const defaultServiceName = 'GenerationService';

const defaults: Partial<Record<keyof SettingValues, string>> = {
  uploadsUrl: 'bucket',
  dashboardUrl: 'none',
  confirmationPrompt: 'login',
  signUp: 'closed',
  signUpCredits: '0',
  localFilesUrl: 'none',
  urlPolicy: 'public',
  likenessConsent: 'ignored',
  serviceName: defaultServiceName,
  version: '1.0.0',
  metricsNamespace: 'GenerationService',
  metricsDisabled: 'false',
  contentSigningKey: 'none',
  timeStampUrl: 'none',
  unmarkedResults: 'rejected',
  engines: 'offline',
  offlineEngineCompletion: 'callback',
  bedrockRegion: 'us-west-2',
  clipCropping: 'center',
  elevenLabsUrl: 'https://api.elevenlabs.io',
  klapUrl: 'https://api.klap.app/v2',
  vizardUrl: 'https://elb-api.vizard.ai/hvizard-server-front/open-api/v1',
  youtubeUrl: 'https://www.googleapis.com/youtube/v3',
  youtubeKey: 'none',
  pixGateway: 'none',
  mercadoPagoUrl: 'https://api.mercadopago.com',
  pixSandboxUrl: 'none',
  subscriptionGateway: 'none',
  stripeUrl: 'https://api.stripe.com',
  stripeReturnUrl: 'dashboard',
  metaVersion: 'v24.0',
  metaInstagramApp: 'none',
  metaFacebookApp: 'none',
  metaInstagramSecrets: 'none',
  metaFacebookSecrets: 'none',
  metaVerifyToken: 'none',
  metaSandboxUrl: 'none',
  falQueueUrl: 'https://queue.fal.run',
  falRunUrl: 'https://fal.run',
  falJwksUrl: 'https://rest.fal.ai/.well-known/jwks.json',
};

/** The names in a setting that lists them, separated by commas; `none` lists none. */
export const namesIn = (setting: string): readonly string[] => (setting === 'none' ? [] : setting.split(','));

/** The setting that lists these names. */
export const listOf = (names: readonly string[]): string => names.join(',') || 'none';

/** Creates the settings. Each is read on use, so that a function needs only the variables that it uses. */
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
