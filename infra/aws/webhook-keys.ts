/** The KMS keys of webhooks: one derives webhook tokens, the others sign. */
import { ReferenceStrength, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<FunctionGrants['webhookKeys']>[number];

const actions: Readonly<Record<Use, string>> = {
  deriveTokens: 'kms:GenerateMac',
  sign: 'kms:Sign',
  readPublicKeys: 'kms:GetPublicKey',
};

/**
 * To rotate, add a label at the front of the stage's `webhookSigningKeys`: the new key signs in addition to the others.
 * After receivers have had time to fetch it, move the old label to `retiredWebhookSigningKeys`, and remove it in a
 * later deployment. The key that derives tokens cannot be rotated, because that would change all tokens.
 */
export class WebhookKeys extends Construct {
  readonly tokenKeyArn: string;
  /** The ARNs of the signing keys, newest first. */
  readonly #signingKeyArns: readonly string[];
  /** The value of the setting that functions read. */
  readonly signingKeys: string;
  readonly #isEmulated: boolean;
  readonly #retiredKeyArns: readonly string[];

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const removalPolicy = stage.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const key = (label: string, keySpec: KeySpec, keyUsage: KeyUsage, description: string): string => {
      const alias = `generation-service/${stage.name}/webhook-${label}`;
      // Multi-Region must be chosen at creation: only a multi-Region key can be replicated to another region, and a key
      // cannot become one later.
      const props = { alias, keySpec, keyUsage, description, removalPolicy, multiRegion: !stage.emulatorUrl };
      return new Key(this, label, props).keyArn;
    };
    // On an emulator without Ed25519, a signing key is derived from an HMAC key.
    this.#isEmulated = stage.emulatorUrl !== undefined;
    const signingKey = (label: string): string =>
      this.#isEmulated
        ? key(`signing-${label}`, KeySpec.HMAC_256, KeyUsage.GENERATE_VERIFY_MAC, 'Its MAC signs webhooks')
        : key(`signing-${label}`, KeySpec.ECC_NIST_EDWARDS25519, KeyUsage.SIGN_VERIFY, 'Signs webhooks');

    this.tokenKeyArn = key('tokens', KeySpec.HMAC_256, KeyUsage.GENERATE_VERIFY_MAC, 'Webhook tokens are its MACs');
    this.#signingKeyArns = stage.webhookSigningKeys.map(signingKey);
    this.signingKeys = `${this.#isEmulated ? 'derived:' : ''}${this.#signingKeyArns.join(',')}`;
    const retired = stage.retiredWebhookSigningKeys.map(signingKey);
    // Retired keys stay exported and are referenced weakly, because an export cannot be removed while it is imported.
    for (const arn of [...this.#signingKeyArns, ...retired]) Stack.of(this).exportValue(arn);
    this.#retiredKeyArns = retired.map((arn) => Stack.consumeReference(arn, ReferenceStrength.WEAK));
  }

  allow(use: Use): Permission {
    const ofTokens = use === 'deriveTokens';
    const used = ofTokens ? [this.tokenKeyArn] : this.#signingKeyArns;
    // During a canary deployment, the previous version still signs with keys that are being retired.
    const resources = ofTokens ? [...used] : [...used, ...this.#retiredKeyArns];
    return {
      statements: [
        new PolicyStatement({ actions: [this.#isEmulated ? actions.deriveTokens : actions[use]], resources }),
      ],
      settings: ofTokens ? { webhookTokenKey: this.tokenKeyArn } : { webhookSigningKeys: this.signingKeys },
    };
  }
}
