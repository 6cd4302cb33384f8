/** The KMS key that signs the Content Credentials of results, and the secret with its certificates. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

export type ContentKeyUse = 'sign' | 'check';

/** The key exists even while a stage marks nothing, so that it can be certified first. */
export class ContentKey extends Construct {
  readonly arn: string;
  /** The secret with the key's certificates, which an operator stores. */
  readonly certificates: ISecret;
  readonly #settings: Stage['contentCredentials'];

  constructor(scope: Construct, id: string, { name, contentCredentials, isProduction, emulatorUrl }: Stage) {
    super(scope, id);
    this.arn = new Key(this, 'Key', {
      alias: `generation-service/${name}/content`,
      description: 'Signs the Content Credentials of results',
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // Multi-Region must be chosen at creation: only a multi-Region key can be replicated to another region, and a key
      // cannot become one later.
      multiRegion: !emulatorUrl,
    }).keyArn;
    this.certificates = Secret.fromSecretNameV2(this, 'Certificates', contentCredentials.certificatesSecretName);
    this.#settings = contentCredentials;
  }

  /** The permission to read the certificates, and to sign; none on a stage that does not mark results. */
  allow(use: ContentKeyUse): Permission {
    if (this.#settings.offBecause !== undefined) return {};
    const { secretArn } = this.certificates;
    const settings = { contentSigningKey: this.arn, contentCertificates: secretArn };
    // Secrets Manager appends six characters to each ARN; one that does not exist yet has none.
    const read = new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secretArn, `${secretArn}-??????`],
    });
    if (use === 'check') return { statements: [read], settings };
    return {
      statements: [new PolicyStatement({ actions: ['kms:Sign'], resources: [this.arn] }), read],
      settings: {
        ...settings,
        unmarkedResults: this.#settings.unmarkedResults,
        ...(this.#settings.timeStampUrl !== undefined && { timeStampUrl: this.#settings.timeStampUrl }),
      },
    };
  }
}
