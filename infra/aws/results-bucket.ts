/**
 * The private bucket that stores results until they expire and used uploads permanently, and the CloudFront
 * distribution that serves both.
 */
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  CachePolicy,
  Distribution,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';

type Use = NonNullable<FunctionGrants['results']>[number];

const files = { folder: 'files', reason: 'Kept files are named after uploads, which are not known yet.' };

const uses: Readonly<
  Record<Exclude<Use, 'look'>, { readonly actions: string[]; readonly folder: string; readonly reason: string }>
> = {
  // The permission to write includes aborting multipart uploads, which are used for large results.
  put: {
    actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
    folder: 'results',
    reason: 'Results are named after tasks, which are not known yet.',
  },
  read: {
    actions: ['s3:GetObject'],
    folder: 'results',
    reason: 'Results are named after tasks, which are not known yet.',
  },
  erase: {
    actions: ['s3:DeleteObject'],
    folder: 'results',
    reason: 'Results are named after tasks, which are not known yet.',
  },
  keep: { ...files, actions: ['s3:PutObject'] },
  readKept: { ...files, actions: ['s3:GetObject'] },
  eraseKept: { ...files, actions: ['s3:DeleteObject'] },
};

/** Uses that find objects. */
const lists: ReadonlySet<Use> = new Set<Use>(['erase', 'eraseKept', 'read']);

/**
 * Why there is no access log: it would contain results' URLs, and a result is protected only by its unguessable URL.
 */
const unlogged = 'A result is protected by its address alone, which an access log would give away.';

const cacheTtl = Duration.minutes(1);

export class ResultsBucket extends Construct {
  /** The base URL of results, without a trailing slash. */
  readonly url: string;
  /** CloudFront's address, to which the DNS record of a stage's results domain must point. */
  readonly domainTarget: string | undefined;
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const { emulatorUrl, isProduction, resultsDomain, resultsRetentionDays } = stage;
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Emulators serve results without CloudFront, which adds the same headers on AWS.
      ...(emulatorUrl && { cors: [{ allowedMethods: [HttpMethods.GET], allowedOrigins: ['*'] }] }),
      lifecycleRules: [
        { prefix: 'results/', expiration: Duration.days(resultsRetentionDays) },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#bucket).acknowledge({ id: 'AwsSolutions-S1', reason: unlogged });
    const address = emulatorUrl ? undefined : this.#serve(stage).domainName;
    this.domainTarget = resultsDomain && address;
    this.url = address ? `https://${resultsDomain?.name ?? address}` : `${emulatorUrl}/${this.#bucket.bucketName}`;
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  allow(use: Use): Permission {
    const settings = { resultsBucket: this.name };
    if (use === 'look') return { statements: [this.#statement(['s3:ListBucket'], this.#bucket.bucketArn)], settings };
    const { actions, folder, reason } = uses[use];
    const arn = Stack.of(this).exportValue(this.#bucket.bucketArn);
    const exported: { 'Fn::ImportValue': string } = Stack.of(this).resolve(arn);
    const id = `AwsSolutions-IAM5[Resource::${exported['Fn::ImportValue']}/${folder}/*]`;
    return {
      statements: [
        this.#statement(actions, `${arn}/${folder}/*`),
        ...(lists.has(use) ? [this.#statement(['s3:ListBucket'], this.#bucket.bucketArn)] : []),
      ],
      acknowledgements: [{ id, reason }],
      settings,
    };
  }

  #statement(actions: string[], resource: string): PolicyStatement {
    return new PolicyStatement({ actions, resources: [resource] });
  }

  #serve({ resultsDomain }: Stage): Distribution {
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Results of generation',
      ...(resultsDomain && {
        domainNames: [resultsDomain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', resultsDomain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.#bucket as IBucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        // For how long a cache may still serve a result that was deleted.
        cachePolicy: new CachePolicy(this, 'Cache', { defaultTtl: cacheTtl, maxTtl: cacheTtl }),
        // Pages on any origin may read results, because anyone who has a result's address may.
        responseHeadersPolicy: new ResponseHeadersPolicy(this, 'Headers', {
          securityHeadersBehavior: { contentTypeOptions: { override: true } },
          corsBehavior: {
            accessControlAllowOrigins: ['*'],
            accessControlAllowMethods: ['GET', 'HEAD'],
            accessControlAllowHeaders: ['*'],
            accessControlAllowCredentials: false,
            originOverride: true,
          },
        }),
      },
    });
    const reasons = {
      CFR1: 'Clients are wherever their users are.',
      CFR2: 'It serves files of a private bucket at unguessable addresses, and runs no code that could be attacked.',
      CFR3: unlogged,
      ...(!resultsDomain && {
        CFR4: 'Without a domain of its own it has CloudFront’s address and certificate, whose TLS version cannot be chosen.',
      }),
    };
    for (const [rule, reason] of Object.entries(reasons)) {
      Validations.of(distribution).acknowledge({ id: `AwsSolutions-${rule}`, reason });
    }
    return distribution;
  }
}
