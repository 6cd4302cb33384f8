/** The private bucket that stores copies of tasks' inputs for a day. */
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { inputsRetentionDays } from '../hosting.ts';
import type { Grants } from './grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<Grants['inputs']>[number];

const actions: Readonly<Record<Use, string[]>> = {
  // Large files are uploaded in parts, and failed uploads are aborted.
  put: ['s3:PutObject', 's3:AbortMultipartUpload'],
  // A presigned URL grants what its signer may do.
  lend: ['s3:GetObject'],
};

export class InputsBucket extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { isProduction }: Stage) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [
        { expiration: Duration.days(inputsRetentionDays), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds copies that expire after a day, and a log would contain the presigned URLs that engines get.',
    });
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  allow(use: Use): Permission {
    const arn = Stack.of(this).exportValue(this.#bucket.bucketArn);
    const exported: { 'Fn::ImportValue': string } = Stack.of(this).resolve(arn);
    return {
      statements: [new PolicyStatement({ actions: actions[use], resources: [`${arn}/*`] })],
      acknowledgements: [
        {
          id: `AwsSolutions-IAM5[Resource::${exported['Fn::ImportValue']}/*]`,
          reason: 'Inputs are named after tasks, which are not known yet.',
        },
      ],
      settings: { inputsBucket: this.name },
    };
  }
}
