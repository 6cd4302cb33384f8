/** The settings that a stage of `cdk.json` may have, and what is wrong with others. */
import * as z from 'zod';
import { likenessPolicies } from '../../shared/contracts/likeness-consent.ts';
import { publishedRetentionDays, resultsRetentionDays } from '../../shared/contracts/limits.ts';
import type { ConfiguredEngineName } from '../../shared/engines/engine-names.ts';

/** The retention periods that CloudWatch accepts; it rejects others only during a deployment. */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922];

/** An object with these settings and no others. */
const settings = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys = [] }: z.core.$ZodRawIssue) =>
      code === 'unrecognized_keys'
        ? `has no setting ${(keys as string[]).join(', ')}: the settings are ${Object.keys(shape).join(', ')}`
        : 'must be an object of settings',
  });

/** Words that Cognito does not allow in a prefix of log-in pages. */
export const reservedByCognito = /aws|amazon|cognito/;

const secretName = z
  .string()
  .regex(/^[\w/+=.@-]{1,200}$/, 'must be a name that Secrets Manager accepts: letters, digits and /_+=.@-')
  // Secrets Manager would mistake a hyphen and six characters at the end of a secret's name for its own suffix and not
  // find the secret.
  .regex(/^(?!.*-[a-zA-Z0-9]{6}$)/, 'must not end with a hyphen and six letters or digits');

const keyLabel = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 lower-case letters, digits and hyphens');

const certificateArn = z.string().regex(/^arn:aws[\w-]*:acm:/, 'must be the ARN of a certificate of ACM');

const hostName = z.hostname('must be a host name');

const Domain = settings({ name: hostName, certificateArn });

/** CloudFront accepts certificates of only one region. */
const DomainOfCloudFront = settings({
  name: hostName,
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:us-east-1:/, 'must be the ARN of a certificate of ACM in us-east-1'),
});

/** The URL of a sandbox that replaces the gateway on an emulated stage. */
const httpUrl = z.url({ protocol: /^http$/, error: 'must be an http address' });
const sandboxUrl = httpUrl.exactOptional();

const mercadoPago = (stage: string) =>
  settings({
    url: sandboxUrl,
    tokenSecretName: secretName.default(`generation-service/${stage}/payments/mercado-pago`),
    webhookSecretName: secretName.default(`generation-service/${stage}/payments/mercado-pago-webhooks`),
  });

const stripe = (stage: string) =>
  settings({
    url: sandboxUrl,
    /** The page that browsers return to after a checkout; by default, the dashboard's Billing page. */
    returnUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).exactOptional(),
    keySecretName: secretName.default(`generation-service/${stage}/payments/stripe`),
    webhookSecretName: secretName.default(`generation-service/${stage}/payments/stripe-webhooks`),
  });

const dashboard = (stage: string) =>
  settings({
    /** The host name of the dashboard; by default, CloudFront's own address. */
    domain: DomainOfCloudFront.exactOptional(),
    /** The prefix of the host name of Cognito's log-in pages, which must be unique in the region. */
    loginPrefix: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits and inner hyphens')
      .refine((prefix) => !reservedByCognito.test(prefix), 'must not contain aws, amazon or cognito')
      .exactOptional(),
    /** Who may sign up; owners of accounts that operators created can always log in. */
    signUp: z.enum(['open', 'invitation', 'closed']).default('invitation'),
    /** The first credits of an account whose owner signs up. */
    signUpCredits: z.int().min(0).max(999_999_999).default(0),
    /** Log-in through Google: the client id that Google assigned, and the name of the secret with its key. */
    google: settings({
      clientId: z
        .string()
        .regex(/^[\w-]+\.apps\.googleusercontent\.com$/, 'must be a client of Google: ….apps.googleusercontent.com'),
      secretName: secretName.default(`generation-service/${stage}/identity/google`),
    }).exactOptional(),
    /** The OAuth `prompt` for external identity providers when a user must confirm their identity. */
    confirmationPrompt: z.enum(['login', 'select_account']).default('login'),
    /**
     * A sender address in a domain that is verified in Amazon SES; by default, Cognito sends at most 50 messages a day
     * from its own.
     */
    emailFrom: z.email('must be an email address').exactOptional(),
    /** The URLs of the site and of the local identity provider, on an emulated stage. */
    emulated: settings({ siteUrl: httpUrl, identityUrl: httpUrl }).exactOptional(),
    /** Changing the label replaces Cognito's clients and their secrets, and publishes all functions again. */
    clientLabel: keyLabel.default('first'),
  });

/** A Meta app, which connects pages of one channel. */
const metaApp = (stage: string, channel: string) =>
  settings({
    appId: z.string().regex(/^\d{1,40}$/, 'must be the number of an app'),
    secretName: secretName.default(`generation-service/${stage}/social/${channel}`),
  }).exactOptional();

const meta = (stage: string) =>
  settings({
    sandboxUrl,
    /** The version of the Graph API. */
    version: z
      .string()
      .regex(/^v\d{1,3}\.\d$/, 'must be a version such as v24.0')
      .exactOptional(),
    instagram: metaApp(stage, 'instagram'),
    facebook: metaApp(stage, 'facebook'),
    verifyTokenSecretName: secretName.default(`generation-service/${stage}/social/webhooks`),
  });

const engines = (stage: string) => {
  /** The name of the secret with an engine's key; an operator creates it. */
  const secret = (engine: ConfiguredEngineName) => secretName.default(`generation-service/${stage}/engines/${engine}`);
  return settings({
    offline: settings({
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
      secretName: secret('offline'),
    }).exactOptional(),
    fal: settings({ secretName: secret('fal') }).exactOptional(),
    elevenlabs: settings({ secretName: secret('elevenlabs') }).exactOptional(),
    klap: settings({ secretName: secret('klap') }).exactOptional(),
    vizard: settings({ secretName: secret('vizard') }).exactOptional(),
    // Bedrock needs no key: the functions' roles may invoke its models.
    bedrock: settings({
      // The catalog uses inference profiles that exist only in the United States.
      region: z.string().regex(/^us-(east|west)-\d$/, 'must be a region in the United States, such as us-west-2'),
    }).exactOptional(),
    // `aws` needs no key: it transcribes and cuts with services of the stage's own account and region.
    aws: settings({
      /**
       * Whether clips show the important part of the frame instead of its center; costs a fee, and clips are then cut
       * one at a time.
       */
      smartCrop: z.boolean().default(false),
    }).exactOptional(),
  } satisfies Record<ConfiguredEngineName, z.ZodType>).prefault({ fal: {} });
};

/** How results are marked with Content Credentials. */
const contentCredentials = (stage: string) =>
  settings({
    /** Why the stage does not mark results; if absent, it does. */
    offBecause: z.string().min(10, 'must be a reason of 10 characters or more').exactOptional(),
    /**
     * The labels of the keys that can sign results. The first one signs; another is being prepared, or was used before.
     */
    keys: z.array(keyLabel).min(1).max(3).default(['first']),
    /** The secret with the certificates of the key `first`, in PEM; those of others are in `<name>/<label>`. */
    certificatesSecretName: secretName.default(`generation-service/${stage}/content-certificates`),
    /**
     * An authority for time stamps of results (RFC 3161). Without time stamps, the credentials of a result become
     * invalid when the certificate expires.
     */
    timeStampUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).exactOptional(),
    /** Whether results that cannot be marked fail their task, or are stored unmarked. */
    unmarkedResults: z.enum(['rejected', 'stored']).default('rejected'),
  }).prefault({});

/** All settings of a stage; what it does not set has these defaults. */
export const stageSettings = (stage: string) =>
  settings({
    /** The AWS account and region of the stage; by default, those of the deployer's environment. */
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be the twelve digits of an AWS account')
      .exactOptional(),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region of AWS, such as us-east-1')
      .exactOptional(),
    /** Whether data is kept when the stack is deleted, and protected against deletion. */
    production: z.boolean().default(false),
    /** The name of a table that was restored from a backup, to use instead of the stack's own. */
    tableName: z
      .string()
      .regex(/^[\w.-]{3,255}$/, 'must be the name of a table of DynamoDB')
      .exactOptional(),
    /** The API's host name, with a certificate in the stage's region; by default, API Gateway's own address. */
    domain: Domain.exactOptional(),
    /** The host name of results; by default, CloudFront's own address. */
    resultsDomain: DomainOfCloudFront.exactOptional(),
    /** The dashboard, with log-ins by Cognito; none by default. */
    dashboard: dashboard(stage).exactOptional(),
    /** Whether a WAF web ACL protects the API. */
    firewall: z.boolean().default(false),
    /** The engines of the stage, in order of preference; with none, only the tasks of test tokens can be created. */
    engines: engines(stage),
    /**
     * PIX payments: the secrets with the seller's access token and the key that signs events; without it, nothing is
     * sold.
     */
    mercadoPago: mercadoPago(stage).exactOptional(),
    /**
     * Subscription payments: the secrets with the seller's key and the key that signs events; without it, there are no
     * subscriptions.
     */
    stripe: stripe(stage).exactOptional(),
    /** Connections to pages of Instagram and Facebook; none by default. */
    meta: meta(stage).exactOptional(),
    /** The YouTube Data API, for durations of linked videos; without it, links to YouTube are rejected. */
    youtube: settings({ secretName: secretName.default(`generation-service/${stage}/youtube`) }).exactOptional(),
    contentCredentials: contentCredentials(stage),
    /** Whether requests that use a person's face, motion or voice must declare that the person has agreed. */
    likenessConsent: z.enum(likenessPolicies).default('ignored'),
    /** How many days results are kept; the default is the retention that the contract states. */
    resultsRetentionDays: z.int().min(1).max(3650).default(resultsRetentionDays),
    /** How many days the digests of results are stored, so that anybody can find out which files the stage published. */
    publishedRetentionDays: z.int().min(1).max(3650).default(publishedRetentionDays),
    logRetentionDays: z
      .int()
      .refine((days) => logRetentionDays.includes(days), `must be one of ${logRetentionDays.join(', ')}`)
      .default(14),
    /** Who is notified of alarms: an email address, and an https endpoint that accepts SNS notifications. */
    alarmEmail: z.email('must be an email address').exactOptional(),
    alarmUrl: z.url({ protocol: /^https$/, error: 'must be an https address' }).exactOptional(),
    /** With `canary`, new code gets a tenth of the calls for five minutes before it gets all of them. */
    deployment: z.enum(['canary', 'all-at-once']).default('all-at-once'),
    /**
     * The labels of KMS keys that sign webhooks, newest first. Every webhook is signed with all of them, and all are
     * published.
     */
    webhookSigningKeys: z.array(keyLabel).min(1).max(5).default(['first']),
    /**
     * The labels of keys that are no longer used; removing one from this list deletes its key in the next deployment.
     */
    retiredWebhookSigningKeys: z.array(keyLabel).default([]),
    /** Whether AWS X-Ray traces one call in twenty by back ends, with the workflow that it starts. */
    traces: z.enum(['sampled', 'off']).default('sampled'),
    /** The URL of an AWS emulator, which makes the stage an emulated one. */
    emulatorUrl: z.url({ protocol: /^http$/, error: 'must be an http address' }).exactOptional(),
  });
