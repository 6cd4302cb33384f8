/**
 * Resources for transcribing and cutting with AWS: a MediaConvert queue of the stage, and a role with which
 * MediaConvert accesses the inputs bucket. Amazon Transcribe uses the role of the function that starts it.
 */
import { Aws, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnQueue } from 'aws-cdk-lib/aws-mediaconvert';
import { Construct } from 'constructs';
import type { FunctionGrants } from './function-grants.ts';
import type { InputsBucket } from './inputs-bucket.ts';
import type { Permission } from './permission.ts';

type Use = NonNullable<FunctionGrants['conversion']>[number];

export interface VideoConversionProps {
  readonly inputs: InputsBucket;
  /** Whether the visible part of a frame may follow the action in it. */
  readonly smartCrop: boolean;
}

const service = 'mediaconvert.amazonaws.com';

const jobsIn = (partition: string, region: string, account: string): string =>
  `arn:${partition}:mediaconvert:${region}:${account}:jobs/*`;

const transcriptionsIn = (partition: string, region: string, account: string): string =>
  `arn:${partition}:transcribe:${region}:${account}:transcription-job/*`;

// cdk-nag writes deploy-time values in angle brackets.
const shown = ['<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>'] as const;

const ofStart = ['AwsSolutions-IAM5[Resource::*]', 'Serverless-LambdaStarPermissions'].map((id) => ({
  id,
  reason: 'Starting a transcription is limited by the bucket of its output, not by the name of the job.',
}));

const acknowledgements = [
  {
    id: `AwsSolutions-IAM5[Resource::${jobsIn(...shown)}]`,
    reason: 'Jobs are named by the service when they are created.',
  },
  {
    id: `AwsSolutions-IAM5[Resource::${transcriptionsIn(...shown)}]`,
    reason: 'Transcription jobs are named after tasks, which are not known yet.',
  },
];

/** Actions of Elemental Inference, which analyzes the video for smart cropping, with a feed per running job. */
const feedActions = ['CreateFeed', 'AssociateFeed', 'PutMedia', 'GetMetadata', 'DeleteFeed', 'TagResource'];

export class VideoConversion extends Construct {
  readonly #inputs: InputsBucket;
  readonly #role: Role;
  readonly #queue: CfnQueue;
  readonly #cropping: 'center' | 'smart';

  constructor(scope: Construct, id: string, { inputs, smartCrop }: VideoConversionProps) {
    super(scope, id);
    this.#inputs = inputs;
    this.#cropping = smartCrop ? 'smart' : 'center';
    this.#queue = new CfnQueue(this, 'Queue', {
      description: 'Clips of long videos',
      pricingPlan: 'ON_DEMAND',
      ...(smartCrop && { maximumConcurrentFeeds: 1 }),
    });
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal(service, { conditions }) });
    inputs.lendTo(this.#role);
    if (smartCrop) this.#allowFeeds();
  }

  allow(use: Use): Permission {
    if (use === 'read') return this.#inputs.allow('lend');
    const here = [Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID] as const;
    const jobs = [jobsIn(...here)];
    const transcriptions = [transcriptionsIn(...here)];
    const stopping = [
      new PolicyStatement({ actions: ['mediaconvert:CancelJob'], resources: jobs }),
      new PolicyStatement({ actions: ['transcribe:DeleteTranscriptionJob'], resources: transcriptions }),
    ];
    if (use === 'stop') return { statements: stopping, acknowledgements };
    const files = this.#inputs.allow('put');
    const { roleArn } = this.#role;
    const { attrArn: queueArn } = this.#queue;
    return {
      statements: [
        // Permission to stop a job, for the case that another attempt has started the same one.
        ...stopping,
        new PolicyStatement({ actions: ['mediaconvert:CreateJob', 'mediaconvert:SearchJobs'], resources: [queueArn] }),
        new PolicyStatement({ actions: ['mediaconvert:GetJob'], resources: jobs }),
        new PolicyStatement({ actions: ['transcribe:GetTranscriptionJob'], resources: transcriptions }),
        new PolicyStatement({
          actions: ['transcribe:StartTranscriptionJob'],
          resources: ['*'],
          conditions: { StringEquals: { 'transcribe:OutputBucketName': this.#inputs.name } },
        }),
        new PolicyStatement({
          actions: ['iam:PassRole'],
          resources: [roleArn],
          conditions: { StringEquals: { 'iam:PassedToService': service } },
        }),
        // Access to captions and transcripts.
        ...(files.statements ?? []),
      ],
      acknowledgements: [...acknowledgements, ...ofStart, ...(files.acknowledgements ?? [])],
      settings: {
        inputsBucket: this.#inputs.name,
        mediaConvertRole: roleArn,
        mediaConvertQueue: queueArn,
        clipCropping: this.#cropping,
      },
    };
  }

  #allowFeeds(): void {
    const feeds = `arn:${Aws.PARTITION}:elemental-inference:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`;
    const actions = feedActions.map((action) => `elemental-inference:${action}`);
    this.#role.addToPolicy(new PolicyStatement({ actions, resources: [feeds] }));
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:elemental-inference:<AWS::Region>:<AWS::AccountId>:*]',
      reason: 'MediaConvert creates a feed for each job.',
    });
  }
}
