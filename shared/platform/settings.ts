/** The service's settings, from environment variables; each is read when it is first needed. */
import { type AwsAccess, type AwsService, awsAccess } from './aws-access.ts';
import type { UrlPolicy } from './url-policy.ts';

export interface SettingValues {
  readonly tableName: string;
  readonly resultsBucket: string;
  readonly inputsBucket: string;
  /** The URL that uploads are sent to; `bucket` means the URL of the inputs bucket. */
  readonly uploadsUrl: string;
  readonly webhookQueueUrl: string;
  /** The queue of payment events that could not be processed at once. */
  readonly paymentQueueUrl: string;
  /** The queue of the inbox: connections that are due, and events that could not be applied at once. */
  readonly inboxQueueUrl: string;
  /** The state machine of each workflow: `generate=<ARN>`, separated by commas. */
  readonly stateMachineArns: string;
  /** The public base URL of the service, without a trailing slash. */
  readonly apiUrl: string;
  /** The public base URL of the dashboard, without a trailing slash; `none` without a dashboard. */
  readonly dashboardUrl: string;
  /**
   * The issuer of ID tokens, which ends in the user pool's id, the URL of its keys, and the URL of the log-in pages.
   */
  readonly identityIssuer: string;
  readonly identityKeysUrl: string;
  readonly identityUrl: string;
  /** The OAuth client of the log-in pages, and its secret or the secret's ARN. */
  readonly identityClient: string;
  readonly identityClientSecret: string;
  /** The client that may only check passwords, and its secret or the secret's ARN. */
  readonly passwordClient: string;
  readonly passwordClientSecret: string;
  /** The same settings for the operators' own identity provider, which has a single client. */
  readonly operatorIdentityIssuer: string;
  readonly operatorIdentityKeysUrl: string;
  readonly operatorIdentityUrl: string;
  readonly operatorIdentityClient: string;
  readonly operatorIdentityClientSecret: string;
  /** The OAuth `prompt` when the owner of a session must confirm who they are. */
  readonly confirmationPrompt: 'login' | 'select_account';
  /** Who may sign up: everyone, only people with an invitation, or no one. */
  readonly signUp: 'open' | 'invitation' | 'closed';
  /** The credits that a new account receives on sign-up. */
  readonly signUpCredits: string;
  /** The base URL of results, without a trailing slash. */
  readonly resultsUrl: string;
  /** How many days results are stored. */
  readonly resultsRetentionDays: string;
  /** How many days the digests of results are stored. */
  readonly publishedRetentionDays: string;
  /** The base URL of files that a local service serves itself; `none` if deployed. */
  readonly localFilesUrl: string;
  readonly urlPolicy: UrlPolicy;
  /** Whether requests that use the likeness of a person must declare their consent. */
  readonly likenessConsent: 'ignored' | 'required';
  /** The service's name in the `User-Agent` header. */
  readonly serviceName: string;
  readonly version: string;
  /** The CloudWatch namespace of the service's metrics. */
  readonly metricsNamespace: string;
  /** Whether metrics are disabled: `true` if none are extracted from the log. */
  readonly metricsDisabled: string;
  /** The key that makes engines' callback URLs unguessable, or the ARN of its secret. */
  readonly engineCallbackKey: string;
  /** The key that webhook tokens are derived from: the ARN of a KMS key, or the path of a file. */
  readonly webhookTokenKey: string;
  /** The keys that sign webhooks: ARNs of KMS keys, separated by commas, newest first, or the path of a folder. */
  readonly webhookSigningKeys: string;
  /** The key that encrypts customers' tokens of social networks: the ARN of a KMS key, or the path of a file. */
  readonly credentialsKey: string;
  /**
   * The key that signs the Content Credentials of results: the ARN of a KMS key, or the path of a file; `none` if results
   * are not marked.
   */
  readonly contentSigningKey: string;
  /** The key's certificates in PEM, its own first, or the ARN of a secret with them. */
  readonly contentCertificates: string;
  /** The address of an authority for time stamps of Content Credentials (RFC 3161), or `none`. */
  readonly timeStampUrl: string;
  /** Whether results that cannot be marked fail their task, or are stored unmarked. */
  readonly unmarkedResults: 'rejected' | 'stored';
  /**
   * The default engines for task types that the catalog has no choice for, in order of preference, separated by commas;
   * `none` if only the tasks of test tokens are done.
   */
  readonly engines: string;
  readonly offlineEngineUrl: string;
  /** The API key of the offline engine, or the ARN of its secret. */
  readonly offlineEngineKey: string;
  /** Whether the offline engine calls back or is polled. */
  readonly offlineEngineCompletion: 'callback' | 'polling';
  /** The URLs of fal.ai's queue, of its synchronous models, and of the public keys for its callbacks. */
  readonly falQueueUrl: string;
  readonly falRunUrl: string;
  readonly falJwksUrl: string;
  /** The API key of fal.ai, or the ARN of its secret. */
  readonly falKey: string;
  readonly elevenLabsUrl: string;
  /** The API key of ElevenLabs, or the ARN of its secret. */
  readonly elevenLabsKey: string;
  readonly klapUrl: string;
  /** The API key of Klap, or the ARN of its secret. */
  readonly klapKey: string;
  readonly vizardUrl: string;
  /** The API key of Vizard, or the ARN of its secret. */
  readonly vizardKey: string;
  readonly youtubeUrl: string;
  /** The API key of the YouTube Data API, or the ARN of its secret; `none` if YouTube links are not accepted. */
  readonly youtubeKey: string;
  /** The region of the Bedrock models. */
  readonly bedrockRegion: string;
  /** The ARNs of the role and the queue of MediaConvert's jobs. */
  readonly mediaConvertRole: string;
  readonly mediaConvertQueue: string;
  /** Which part of the frame MediaConvert keeps in clips. */
  readonly clipCropping: 'center' | 'smart';
  /** The name of the deployment, which distinguishes it from others that use the same payment account. */
  readonly stageName: string;
  /** The gateway for PIX payments. */
  readonly pixGateway: 'mercado-pago' | 'none';
  readonly mercadoPagoUrl: string;
  /** The URL of the sandbox in which PIX codes can be paid; `none` if they are paid with money. */
  readonly pixSandboxUrl: string;
  /** The seller's access token and the secret that signs events: each the value, or the ARN of its secret. */
  readonly mercadoPagoToken: string;
  readonly mercadoPagoWebhookSecret: string;
  /** The gateway for subscription payments. */
  readonly subscriptionGateway: 'stripe' | 'none';
  readonly stripeUrl: string;
  /** The seller's secret key and the secret that signs events: each the value, or the ARN of its secret. */
  readonly stripeKey: string;
  readonly stripeWebhookSecret: string;
  /** The page that browsers return to after a checkout, or `dashboard` for the dashboard's Billing page. */
  readonly stripeReturnUrl: string;
  /** The version of Meta's Graph API, such as `v24.0`. */
  readonly metaVersion: string;
  /** The ids of the Meta apps that connect pages, one per channel. */
  readonly metaInstagramApp: string;
  readonly metaFacebookApp: string;
  /**
   * The Meta apps' secrets, the current one first, separated by commas, or the ARN of a secret with them; `none`
   * without an app.
   */
  readonly metaInstagramSecrets: string;
  readonly metaFacebookSecrets: string;
  /**
   * The token that Meta sends when it verifies the webhook URL: the value, or the ARN of its secret; `none` without an
   * app.
   */
  readonly metaVerifyToken: string;
  /** The URL of the social-network sandbox, without a trailing slash; `none` without one. */
  readonly metaSandboxUrl: string;
}

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
