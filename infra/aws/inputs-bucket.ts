/**
 * The private bucket that stores copies of tasks' inputs and archives of exports for a day, and the uploads of accounts
 * for a week.
 */
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { unusedFilesRetentionDays } from '../../shared/contracts/limits.ts';
import { shorterKeptDays, uploadsFolder } from '../../shared/domain/files/file.ts';
import { exportsRetentionDays, inputsRetentionDays } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<FunctionGrants['inputs']>[number];

const uses: Readonly<Record<Use, { readonly actions: string[]; readonly folder: keyof typeof reasons }>> = {
  // The permission to write includes aborting multipart uploads, which are used for large files.
  put: { actions: ['s3:PutObject', 's3:AbortMultipartUpload'], folder: 'inputs' },
  // A presigned URL or form has the permissions of its signer, so the signer needs this one.
  lend: { actions: ['s3:GetObject'], folder: 'inputs' },
  readWork: { actions: ['s3:GetObject'], folder: 'inputs' },
  deleteWork: { actions: ['s3:DeleteObject', 's3:AbortMultipartUpload'], folder: 'inputs' },
  takeUploads: { actions: ['s3:PutObject'], folder: 'uploads' },
  readUploads: { actions: ['s3:GetObject'], folder: 'uploads' },
  makeExports: { actions: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'], folder: 'exports' },
  lendExports: { actions: ['s3:GetObject'], folder: 'exports' },
  eraseUploads: { actions: ['s3:DeleteObject'], folder: 'uploads' },
  eraseExports: { actions: ['s3:DeleteObject'], folder: 'exports' },
  bury: { actions: ['s3:PutObject'], folder: 'erased-accounts' },
};

/** Permissions with which S3 tells the function whether an object is missing, or lists a folder. */
const lists: ReadonlySet<Use> = new Set<Use>(['readUploads', 'readWork', 'makeExports']);

const reasons = {
  exports: 'Archives are named after accounts, which are not known yet.',
  inputs: 'Inputs are named after tasks, which are not known yet.',
  uploads: 'Uploads are named after files, which are not known yet.',
  'erased-accounts': 'What remembers an erased account is named after it, which is not known yet.',
};

export class InputsBucket extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { isProduction }: Stage) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Pages of the dashboard upload files. Any origin may, because an upload is admitted only by a presigned form or
      // URL.
      cors: [{ allowedMethods: [HttpMethods.POST, HttpMethods.PUT], allowedOrigins: ['*'], exposedHeaders: ['ETag'] }],
      lifecycleRules: [
        { prefix: 'inputs/', expiration: Duration.days(inputsRetentionDays) },
        { prefix: 'exports/', expiration: Duration.days(exportsRetentionDays) },
        { prefix: 'uploads/', expiration: Duration.days(unusedFilesRetentionDays) },
        ...shorterKeptDays().map((days) => ({ prefix: uploadsFolder(days), expiration: Duration.days(days) })),
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds copies that expire after a day, and a log would contain the presigned URLs that engines and owners get.',
    });
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  /** Where browsers send uploads: the address of forms, and the prefix of the addresses of parts. */
  get uploadAddresses(): readonly string[] {
    const { region, urlSuffix } = Stack.of(this);
    const address = `https://s3.${region}.${urlSuffix}/${this.name}`;
    return [address, `${address}/`];
  }

  /** Lets another service read and write the files of tasks. */
  lendTo(role: Role): void {
    const id = Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnBucket);
    const actions = ['s3:GetObject', 's3:PutObject'];
    role.addToPolicy(new PolicyStatement({ actions, resources: [this.#bucket.arnForObjects('inputs/*')] }));
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${id}.Arn>/inputs/*]`,
      reason: reasons.inputs,
    });
  }

  allow(use: Use): Permission {
    const arn = Stack.of(this).exportValue(this.#bucket.bucketArn);
    const exported: { 'Fn::ImportValue': string } = Stack.of(this).resolve(arn);
    const { actions, folder } = uses[use];
    // The permission to list, without which S3 reports a missing object as access denied.
    const listing = new PolicyStatement({ actions: ['s3:ListBucket'], resources: [arn] });
    return {
      statements: [
        new PolicyStatement({ actions, resources: [`${arn}/${folder}/*`] }),
        ...(lists.has(use) ? [listing] : []),
      ],
      acknowledgements: [
        {
          id: `AwsSolutions-IAM5[Resource::${exported['Fn::ImportValue']}/${folder}/*]`,
          reason: reasons[folder],
        },
      ],
      settings: { inputsBucket: this.name },
    };
  }
}
