/** Secrets that functions read at run time: neither templates nor environments contain their values. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { engineSettings } from '../../shared/engines/engine-settings.ts';
import type { Settings } from '../../shared/platform/settings.ts';
import { isEngineKey, type KeyName, keyNames, keyOutputOf } from '../key-names.ts';
import type { Permission } from './permission.ts';
import { keySettingsOf, type Stage } from './stages.ts';

const reading = (secrets: readonly string[]): PolicyStatement =>
  new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [...secrets] });

/** The key that makes callback URLs unguessable: generated in the stack and read only by functions. */
export class CallbackKey extends Construct {
  readonly #secret: Secret;

  constructor(scope: Construct, id: string, { isProduction }: Stage) {
    super(scope, id);
    this.#secret = new Secret(this, 'Secret', {
      description: 'Makes the callback URLs of engines unguessable',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It never leaves AWS, and a new one would invalidate the callback URLs of all running engine jobs.',
    });
  }

  allow(): Permission {
    const engineCallbackKey = this.#secret.secretArn;
    return { statements: [reading([engineCallbackKey])], settings: { engineCallbackKey } };
  }
}

const providerSettings = {
  ...engineSettings,
  youtube: { key: 'youtubeKey' },
  mercadoPago: { url: 'mercadoPagoUrl', key: 'mercadoPagoToken' },
  mercadoPagoWebhooks: { key: 'mercadoPagoWebhookSecret' },
  stripe: { url: 'stripeUrl', key: 'stripeKey' },
  stripeWebhooks: { key: 'stripeWebhookSecret' },
  metaInstagram: { key: 'metaInstagramSecrets' },
  metaFacebook: { key: 'metaFacebookSecrets' },
  metaWebhooks: { key: 'metaVerifyToken' },
} as const satisfies Readonly<Record<KeyName, { readonly url?: keyof Settings; readonly key: keyof Settings }>>;

type Holders = 'engines' | 'youtube' | 'payments' | 'subscriptions' | 'social';

const holdersOf = (name: KeyName): Holders => {
  if (isEngineKey(name)) return 'engines';
  if (name === 'stripe' || name === 'stripeWebhooks') return 'subscriptions';
  if (name.startsWith('meta')) return 'social';
  return name === 'youtube' ? 'youtube' : 'payments';
};

/** The apps that connect pages; those at Meta unless the stage is emulated. */
export const socialApps = ({ meta }: Stage): Readonly<Partial<Record<keyof Settings, string>>> => ({
  ...(meta?.sandboxUrl && { metaSandboxUrl: meta.sandboxUrl }),
  ...(meta?.instagram && { metaInstagramApp: meta.instagram.appId }),
  ...(meta?.facebook && { metaFacebookApp: meta.facebook.appId }),
});

/** The settings of a stage's social networks. */
export const socialSettings = (stage: Stage): Readonly<Partial<Record<keyof Settings, string>>> => ({
  ...(stage.meta?.version && { metaVersion: stage.meta.version }),
  ...socialApps(stage),
});

interface StoredKey {
  readonly name: KeyName;
  readonly url?: string;
  readonly secret: ISecret;
}

/** The settings of a provider: its URL, if it has one, and the ARN of its key. */
const settingsFor = (
  keys: readonly StoredKey[],
  { name: stageName, stripe }: Stage,
): Readonly<Partial<Record<keyof Settings, string>>> => ({
  ...(keys.some(({ name }) => name === 'mercadoPago') && { pixGateway: 'mercado-pago', stageName }),
  ...(stripe &&
    keys.some(({ name }) => name === 'stripe') && {
      subscriptionGateway: 'stripe',
      ...(stripe.returnUrl !== undefined && { stripeReturnUrl: stripe.returnUrl }),
      stageName,
    }),
  ...Object.fromEntries(
    keys.flatMap(({ name, url, secret }) => {
      const { url: address, key }: { url?: keyof Settings; key: keyof Settings } = providerSettings[name];
      return [...(address && url ? [[address, url]] : []), [key, secret.secretArn]];
    }),
  ),
});

/** The API keys of providers, which an operator stores in the secrets that the stage names. */
export class ProviderKeys extends Construct {
  readonly #keys: readonly StoredKey[];
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.#stage = stage;
    this.#keys = keyNames.flatMap((name) => {
      const { secretName, ...where } = keySettingsOf(stage, name) ?? {};
      return secretName ? [{ name, ...where, secret: Secret.fromSecretNameV2(this, name, secretName) }] : [];
    });
  }

  /** The outputs with the names of the providers' secrets. */
  get outputs(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#keys.map(({ name, secret }) => [keyOutputOf(name), secret.secretName]));
  }

  get settings(): Readonly<Partial<Record<keyof Settings, string>>> {
    return { ...settingsFor(this.#keys, this.#stage), ...socialSettings(this.#stage) };
  }

  allow(holders: Holders): Permission {
    const keys = this.#keys.filter(({ name }) => holdersOf(name) === holders);
    // Secrets Manager appends six characters to each ARN.
    const arns = keys.map(({ secret }) => `${secret.secretArn}-??????`);
    return arns.length > 0 ? { statements: [reading(arns)], settings: settingsFor(keys, this.#stage) } : {};
  }
}
