/**
 * The dashboard's host: CloudFront serves its pages from a bucket and forwards their API calls, so that cookies belong
 * to one host.
 */
import { Aws, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { dashboardPath, operatePath } from '../../dashboard-site.ts';
import type { ApiAddress } from '../api-address.ts';
import type { DashboardSettings, Stage } from '../stages.ts';
import { apiCode, originHeader, pageCode } from './edge-code.ts';
import type { HeadersStack } from './headers-stack.ts';
import { hashedPrefix, outdatedKey } from './outdated-files.ts';

export interface SiteStackProps extends StackProps {
  readonly stage: Stage;
  readonly dashboard: DashboardSettings;
  readonly address: ApiAddress;
  readonly headers: HeadersStack;
}

const reasons = {
  CFR1: 'Owners of accounts are wherever they are.',
  CFR2: 'Its pages are the same files for everybody, and the API behind it has a firewall of its own where a stage has one.',
  CFR3: 'The API has an access log, and who loads files that are the same for everybody tells nothing.',
};

const unnamed =
  'Without a domain of its own it has CloudFront’s address and certificate, whose TLS version cannot be chosen.';

export class SiteStack extends Stack {
  /** The URL without a trailing slash; `ownUrl` is CloudFront's own address, even with a domain. */
  readonly url: string;
  readonly ownUrl: string;
  readonly bucket: Bucket;
  /** The secret that proves to a firewall that CloudFront forwarded a request. */
  readonly originKey: Secret | undefined;
  /** The role and log group of the function that publishes the pages. */
  readonly publisher: { readonly role: Role; readonly logGroup: LogGroup };
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { stage, dashboard, address, headers, ...props }: SiteStackProps) {
    super(scope, id, props);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: !stage.emulatorUrl,
      // The bucket with the pages can be deleted, because each deployment publishes all pages again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const unlogged = 'It holds the dashboard’s pages alone, which anybody may read through CloudFront.';
    Validations.of(this.bucket).acknowledge({ id: 'AwsSolutions-S1', reason: unlogged });
    if (stage.emulatorUrl) {
      const unencrypted = 'An emulator of CloudFront reads it over http, on the same machine.';
      Validations.of(this.bucket).acknowledge({ id: 'AwsSolutions-S10', reason: unencrypted });
    }
    // The key exists even on a stage without a firewall: if a firewall is being removed, it requires the key until its
    // own stack is deployed.
    this.originKey = stage.emulatorUrl ? undefined : this.#key();
    this.distribution = this.#serve(dashboard, this.#pages(headers), this.#api(address));
    this.publisher = this.#publisher(stage);
    this.ownUrl = `https://${this.distribution.distributionDomainName}`;
    this.url = dashboard.domain ? `https://${dashboard.domain.name}` : this.ownUrl;
  }

  #serve({ domain }: DashboardSettings, pages: BehaviorOptions, api: BehaviorOptions): Distribution {
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Dashboard of the Generation Service',
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      // Other paths of the API are not available at this host, because its cookies are sessions.
      defaultBehavior: pages,
      additionalBehaviors: { [`${dashboardPath}/api/*`]: api, [`${operatePath}/api/*`]: api },
    });
    Validations.of(distribution).acknowledge({
      id: '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason: 'Whatever is asked of the bucket is the name of a file below one path.',
    });
    for (const [rule, reason] of Object.entries({ ...reasons, ...(!domain && { CFR4: unnamed }) })) {
      Validations.of(distribution).acknowledge({ id: `AwsSolutions-${rule}`, reason });
    }
    return distribution;
  }

  #publisher({ logRetentionDays }: Stage): SiteStack['publisher'] {
    const logGroup = new LogGroup(this, 'PublisherLog', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { logGroupArn } = logGroup;
    const files = `${this.bucket.bucketArn}${dashboardPath}/*`;
    const statements = [
      new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] }),
      new PolicyStatement({ actions: ['s3:PutObject'], resources: [files] }),
      new PolicyStatement({
        actions: ['s3:GetObject', 's3:PutObject'],
        resources: [this.bucket.arnForObjects(outdatedKey)],
      }),
      new PolicyStatement({ actions: ['s3:DeleteObject'], resources: [this.bucket.arnForObjects(`${hashedPrefix}*`)] }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
    ];
    const role = new Role(this, 'Publisher', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { grants: new PolicyDocument({ statements }) },
    });
    const bucketId = this.getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    for (const names of [`${dashboardPath}/*`, `/${hashedPrefix}*`]) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>${names}]`,
        reason: 'The pages’ files get their names when they are built.',
      });
    }
    return { role, logGroup };
  }

  #pages({ policy }: HeadersStack): BehaviorOptions {
    return {
      // The permission to read includes listing, so that a missing file is a 404 instead of a 403.
      origin: S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: policy,
      functionAssociations: [this.#onRequest('Pages', pageCode)],
    };
  }

  #api({ host, path }: ApiAddress): BehaviorOptions {
    return {
      origin: new HttpOrigin(host, {
        ...(path && { originPath: path }),
        ...(this.originKey && { customHeaders: { [originHeader]: this.originKey.secretValue.unsafeUnwrap() } }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [this.#onRequest('Api', apiCode)],
    };
  }

  #key(): Secret {
    const key = new Secret(this, 'OriginKey', {
      description: 'Proves to the firewall that a request came by CloudFront',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const reason = 'Only CloudFront and the firewall have it, and whoever knew it could do what any browser can.';
    Validations.of(key).acknowledge({ id: 'AwsSolutions-SMG4', reason });
    return key;
  }

  #onRequest(id: string, code: string) {
    const edge = new EdgeFunction(this, id, {
      functionName: `${this.stackName}-${id}-${Aws.REGION}`,
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return { function: edge, eventType: FunctionEventType.VIEWER_REQUEST };
  }
}
