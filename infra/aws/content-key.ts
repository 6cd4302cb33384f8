/** The KMS keys that sign the Content Credentials of results, and the secrets with their certificates. */
import { ReferenceStrength, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { contentKeyAlias, contentKeyId, contentSecretName } from '../content-key-names.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

export type ContentKeyUse = 'sign' | 'check';

/**
 * The keys exist even while a stage marks nothing, so that they can be certified first. To rotate the key that signs,
 * add a label behind its label, and certify the new key. Swap the labels in a later deployment, and remove the old one
 * in another.
 */
export class ContentKey extends Construct {
  /** The key that currently signs. */
  readonly arn: string;
  /**
   * The secrets with the certificates of the keys, which an operator stores; the first one belongs to the key that
   * signs.
   */
  readonly certificates: readonly [ISecret, ...ISecret[]];
  readonly #otherArns: readonly string[];
  readonly #settings: Stage['contentCredentials'];

  constructor(scope: Construct, id: string, { name, contentCredentials, isProduction, emulatorUrl }: Stage) {
    super(scope, id);
    const { keys, certificatesSecretName } = contentCredentials;
    const key = (label: string): string =>
      new Key(this, contentKeyId(label), {
        alias: contentKeyAlias(name, label),
        description: 'Signs the Content Credentials of results',
        keySpec: KeySpec.ECC_NIST_P256,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
        // Multi-Region must be chosen at creation: only a multi-Region key can be replicated to another region, and a
        // key cannot become one later.
        multiRegion: !emulatorUrl,
      }).keyArn;
    const secret = (label: string): ISecret => {
      const secretId = contentKeyId(label).replace('Key', 'Certificates');
      return Secret.fromSecretNameV2(this, secretId, contentSecretName(certificatesSecretName, label));
    };
    const [signing = '', ...others] = keys;
    this.arn = key(signing);
    this.certificates = [secret(signing), ...others.map(secret)];
    const otherArns = others.map(key);
    // Other keys stay exported and are referenced weakly, because an export cannot be removed while it is imported.
    for (const arn of [this.arn, ...otherArns]) Stack.of(this).exportValue(arn);
    this.#otherArns = otherArns.map((arn) => Stack.consumeReference(arn, ReferenceStrength.WEAK));
    this.#settings = contentCredentials;
  }

  /** The permission to read the certificates, and to sign; none on a stage that does not mark results. */
  allow(use: ContentKeyUse): Permission {
    if (this.#settings.offBecause !== undefined) return {};
    const [{ secretArn }] = this.certificates;
    const settings = { contentSigningKey: this.arn, contentCertificates: secretArn };
    // During a canary deployment, the previous version still signs with the previous key.
    const read = new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      // An ARN of Secrets Manager ends with six random characters; that of a secret that does not exist yet is unknown,
      // so the permission allows any.
      resources: this.certificates.flatMap((one) => [one.secretArn, `${one.secretArn}-??????`]),
    });
    if (use === 'check') return { statements: [read], settings };
    return {
      statements: [new PolicyStatement({ actions: ['kms:Sign'], resources: [this.arn, ...this.#otherArns] }), read],
      settings: {
        ...settings,
        unmarkedResults: this.#settings.unmarkedResults,
        ...(this.#settings.timeStampUrl !== undefined && { timeStampUrl: this.#settings.timeStampUrl }),
      },
    };
  }
}
