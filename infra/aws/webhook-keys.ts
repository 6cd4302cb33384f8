/** The keys behind webhooks, which never leave KMS: one that tokens are derived with, and those that sign. */
import { ReferenceStrength, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Grants } from './grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<Grants['webhookKeys']>[number];

const actions: Readonly<Record<Use, string>> = {
  deriveTokens: 'kms:GenerateMac',
  sign: 'kms:Sign',
  readPublicKeys: 'kms:GetPublicKey',
};

/**
 * A rotation: a new label at the head of the stage's `webhookSigningKeys` makes a key, and webhooks are signed by all of
 * them from then on; when receivers have had time to fetch it, the old label moves to `retiredWebhookSigningKeys`, and
 * with the next deployment away. The key that tokens are derived with is for ever: another one would change them all.
 */
export class WebhookKeys extends Construct {
  readonly tokenKeyArn: string;
  /** The newest first. */
  readonly #signingKeyArns: readonly string[];
  /** As the functions' setting names them. */
  readonly signingKeys: string;
  readonly #isEmulated: boolean;
  readonly #retiredKeyArns: readonly string[];

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const removalPolicy = stage.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const key = (label: string, keySpec: KeySpec, keyUsage: KeyUsage, description: string): string => {
      const alias = `generation-service/${stage.name}/webhook-${label}`;
      // A key can never become a multi-Region one later, and a replica in another Region needs one.
      const props = { alias, keySpec, keyUsage, description, removalPolicy, multiRegion: !stage.emulatorUrl };
      return new Key(this, label, props).keyArn;
    };
    // Not every emulator knows Ed25519: there a signing key is derived from an HMAC key.
    this.#isEmulated = stage.emulatorUrl !== undefined;
    const signingKey = (label: string): string =>
      this.#isEmulated
        ? key(`signing-${label}`, KeySpec.HMAC_256, KeyUsage.GENERATE_VERIFY_MAC, 'Its MAC signs webhooks')
        : key(`signing-${label}`, KeySpec.ECC_NIST_EDWARDS25519, KeyUsage.SIGN_VERIFY, 'Signs webhooks');

    this.tokenKeyArn = key('tokens', KeySpec.HMAC_256, KeyUsage.GENERATE_VERIFY_MAC, 'Webhook tokens are its MACs');
    this.#signingKeyArns = stage.webhookSigningKeys.map(signingKey);
    this.signingKeys = `${this.#isEmulated ? 'derived:' : ''}${this.#signingKeyArns.join(',')}`;
    const retired = stage.retiredWebhookSigningKeys.map(signingKey);
    // A stack cannot take back what another one still uses: retired keys stay exported, and are used without that.
    for (const arn of [...this.#signingKeyArns, ...retired]) Stack.of(this).exportValue(arn);
    this.#retiredKeyArns = retired.map((arn) => Stack.consumeReference(arn, ReferenceStrength.WEAK));
  }

  allow(use: Use): Permission {
    const ofTokens = use === 'deriveTokens';
    const used = ofTokens ? [this.tokenKeyArn] : this.#signingKeyArns;
    // The version before still runs while new code comes by and by, and still signs with the keys that retire now.
    const resources = ofTokens ? [...used] : [...used, ...this.#retiredKeyArns];
    return {
      statements: [
        new PolicyStatement({ actions: [this.#isEmulated ? actions.deriveTokens : actions[use]], resources }),
      ],
      settings: ofTokens ? { webhookTokenKey: this.tokenKeyArn } : { webhookSigningKeys: this.signingKeys },
    };
  }
}
