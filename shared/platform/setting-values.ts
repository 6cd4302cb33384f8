/** The values of the service's settings. */
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
  /** The dead letters of each of these queues. */
  readonly webhookDeadLettersUrl: string;
  readonly paymentDeadLettersUrl: string;
  readonly inboxDeadLettersUrl: string;
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
