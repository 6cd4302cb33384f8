/** The KMS key that encrypts customers' tokens of social networks. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<FunctionGrants['credentials']>[number];

const actions: Readonly<Record<Use, string>> = { seal: 'kms:Encrypt', open: 'kms:Decrypt' };

export class CredentialsKey extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { name, isProduction, emulatorUrl }: Stage) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      alias: `generation-service/${name}/credentials`,
      description: 'Seals tokens of connected pages',
      // Data from before a rotation stays readable, because KMS keeps all versions of the key.
      enableKeyRotation: true,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // Multi-Region must be chosen at creation: only a multi-Region key can be replicated to another region, and a key
      // cannot become one later.
      multiRegion: !emulatorUrl,
    });
    this.arn = key.keyArn;
  }

  allow(use: Use): Permission {
    const statement = new PolicyStatement({ actions: [actions[use]], resources: [this.arn] });
    return { statements: [statement], settings: { credentialsKey: this.arn } };
  }
}
