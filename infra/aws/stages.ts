/** The stages of `cdk.json` and their settings, parsed once; invalid settings are rejected. */
import * as z from 'zod';
import { resultsRetentionDays } from '../../shared/contracts/limits.ts';
import type { ConfiguredEngineName } from '../../shared/engines/engine-names.ts';
import type { KeyName } from '../key-names.ts';

/** The retention periods that CloudWatch accepts; it rejects others only during a deployment. */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922];

/** An AWS account that does not exist, for emulators: nothing bound to it can reach a real account. */
export const emulatedAccount = '000000000000';

/** The regions in which Elemental Inference can find the important part of a frame. */
const smartCropRegions = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-south-1', 'ap-southeast-2'];

/** An object with these settings and no others. */
const settings = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys = [] }: z.core.$ZodRawIssue) =>
      code === 'unrecognized_keys'
        ? `has no setting ${(keys as string[]).join(', ')}: the settings are ${Object.keys(shape).join(', ')}`
        : 'must be an object of settings',
  });

/**
 * A stage's name has no hyphens, so that no other stage has stacks and logs with the prefix
 * `GenerationService-<name>-`.
 */
const stageName = z.string().regex(/^(?!all$)[a-z][a-z0-9]{0,19}$/);

/** Words that Cognito does not allow in a prefix of log-in pages. */
const reservedByCognito = /aws|amazon|cognito/;

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
    /** Why results are not marked; without a reason, they are. */
    offBecause: z.string().min(10, 'must be a reason of 10 characters or more').exactOptional(),
    /** The secret with the certificates of the key that signs, in PEM. */
    certificatesSecretName: secretName.default(`generation-service/${stage}/content-certificates`),
    /** Whether results that cannot be marked fail their task, or are stored unmarked. */
    unmarkedResults: z.enum(['rejected', 'stored']).default('rejected'),
  }).prefault({});

const settingsOf = (stage: string) => {
  return settings({
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
    /** How many days results are kept; the default is the retention that the contract states. */
    resultsRetentionDays: z.int().min(1).max(3650).default(resultsRetentionDays),
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
    /** The URL of an AWS emulator, which makes the stage an emulated one. */
    emulatorUrl: z.url({ protocol: /^http$/, error: 'must be an http address' }).exactOptional(),
  });
};

export interface Stage extends Omit<z.output<ReturnType<typeof settingsOf>>, 'production'> {
  readonly name: string;
  readonly isProduction: boolean;
}

export type DashboardSettings = NonNullable<Stage['dashboard']>;

const withUrl = (url: string | undefined, secretName: string) => ({ ...(url && { url }), secretName });

/** The settings of a provider's key and URL, if the stage has the provider. */
export function keySettingsOf(
  { engines, mercadoPago, meta: networks, stripe: subscriptions, youtube }: Stage,
  name: KeyName,
): { readonly url?: string; readonly secretName: string } | undefined {
  if (name === 'youtube') return youtube;
  if (name === 'mercadoPago') return mercadoPago && withUrl(mercadoPago.url, mercadoPago.tokenSecretName);
  if (name === 'mercadoPagoWebhooks') return mercadoPago && { secretName: mercadoPago.webhookSecretName };
  if (name === 'stripe') return subscriptions && withUrl(subscriptions.url, subscriptions.keySecretName);
  if (name === 'stripeWebhooks') return subscriptions && { secretName: subscriptions.webhookSecretName };
  if (name === 'metaInstagram') return networks?.instagram;
  if (name === 'metaFacebook') return networks?.facebook;
  if (name === 'metaWebhooks') return networks && { secretName: networks.verifyTokenSecretName };
  return engines[name];
}

/** Settings that are valid individually but not together. */
function contradictions({
  account,
  dashboard: pages,
  engines,
  emulatorUrl,
  isProduction,
  mercadoPago: payments,
  meta: networks,
  name,
  stripe: subscriptions,
  region,
  resultsDomain,
  webhookSigningKeys,
  retiredWebhookSigningKeys,
}: Stage): string[] {
  const labels = [...webhookSigningKeys, ...retiredWebhookSigningKeys];
  const isPlain = !emulatorUrl && engines.offline?.url.startsWith('https:') === false;
  return [
    ...(emulatorUrl && engines.aws ? ['engines.aws: emulators have no MediaConvert'] : []),
    ...(engines.aws?.smartCrop && region && !smartCropRegions.includes(region)
      ? [`engines.aws.smartCrop: is not available in ${region}, only in ${smartCropRegions.join(', ')}`]
      : []),
    ...(!emulatorUrl && payments?.url ? ['mercadoPago.url: only an emulated stage has one'] : []),
    ...(!emulatorUrl && networks?.sandboxUrl ? ['meta.sandboxUrl: only an emulated stage has one'] : []),
    ...(!emulatorUrl && subscriptions?.url ? ['stripe.url: only an emulated stage has one'] : []),
    ...(subscriptions && !subscriptions.returnUrl && !pages
      ? ['stripe.returnUrl: a stage without a dashboard must have one']
      : []),
    ...(isPlain ? ['engines.offline.url: must be an https address'] : []),
    ...(new Set(labels).size < labels.length ? ['webhookSigningKeys: a label may occur once, retired or not'] : []),
    ...(emulatorUrl && pages && !pages.emulated
      ? ['dashboard.emulated: emulators have no log-in pages of Cognito']
      : []),
    ...(emulatorUrl && (pages?.domain || pages?.google)
      ? ['dashboard: an emulated stage has no domain, and no Google']
      : []),
    ...(!emulatorUrl && pages && !pages.loginPrefix && reservedByCognito.test(name)
      ? ['dashboard.loginPrefix: is required, because the default contains the name of the stage']
      : []),
    ...(!emulatorUrl && pages?.emulated ? ['dashboard.emulated: only an emulated stage has it'] : []),
    ...(emulatorUrl && account ? ['account: an emulated stage has none'] : []),
    ...(emulatorUrl && resultsDomain ? ['resultsDomain: an emulated stage serves results from the bucket'] : []),
    ...(emulatorUrl && isProduction ? ['production: an emulated stage keeps nothing'] : []),
  ];
}

const reject = (problems: readonly string[]): never => {
  throw new Error(`The stages in cdk.json are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};

/** Restores the order of engines in the file, which is their preference; parsing sorts them as in the schema. */
function inOrderOf(given: unknown, engines: Stage['engines']): Stage['engines'] {
  const { engines: named = engines } = given as { engines?: Stage['engines'] };
  return Object.fromEntries((Object.keys(named) as ConfiguredEngineName[]).map((name) => [name, engines[name]]));
}

function readStage(name: string, given: unknown): Stage {
  if (!stageName.safeParse(name).success) {
    return reject([
      `${name}: a stage's name is 1 to 20 lower-case letters and digits, begins with a letter and is not "all"`,
    ]);
  }
  const { data, error } = settingsOf(name).safeParse(given);
  if (error) return reject(error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`));
  const { production: isProduction, ...parsed } = data;
  const stage = { ...parsed, engines: inOrderOf(given, parsed.engines), name, isProduction };
  const problems = contradictions(stage);
  return problems.length > 0 ? reject(problems.map((problem) => `${name}.${problem}`)) : stage;
}

/** Settings from the command line are JSON text. */
function parsedText(stages: unknown): unknown {
  if (typeof stages !== 'string') return stages;
  try {
    return JSON.parse(stages);
  } catch (cause) {
    throw new Error('The context "stages" must be JSON: the settings of each stage by its name.', { cause });
  }
}

export interface StageContext {
  /** The value of `-c stage=<name>`; `all` checks all stages. */
  readonly stage?: unknown;
  /** The settings of the stages, by name. */
  readonly stages?: unknown;
}

/** Reads the stages. @throws {Error} that says what is invalid and what would be accepted */
export function readStages({ stage, stages }: StageContext): readonly Stage[] {
  const given = z.record(z.string(), z.unknown()).safeParse(parsedText(stages)).data ?? {};
  const known = `The stages are ${Object.keys(given).join(', ')}.`;
  if (typeof stage !== 'string') throw new Error(`Name a stage with -c stage=<name>. ${known}`);
  const asked = stage === 'all' ? Object.entries(given) : [[stage, given[stage]] as const];
  if (stage !== 'all' && !Object.hasOwn(given, stage)) throw new Error(`There is no stage "${stage}". ${known}`);
  return asked.map(([name, described]) => readStage(name, described));
}
