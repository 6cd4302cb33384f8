/** The resources of a stage for clips by MediaConvert, and its functions' permissions to use them. */
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { InputsBucket } from '../../../../infra/aws/inputs-bucket.ts';
import { readStages } from '../../../../infra/aws/stages.ts';
import { VideoConversion } from '../../../../infra/aws/video-conversion.ts';
import { fullStage } from '../full-stage.ts';
import { functionsOf } from '../policies.ts';
import { type Synthesized, synthesize, textOf } from '../synthesized.ts';

function subject(smartCrop: boolean) {
  const [stage] = readStages({ stage: 'dev', stages: { dev: {} } });
  if (!stage) throw new Error('no stage');
  const stack = new Stack(new App(), 'Data');
  const conversion = new VideoConversion(stack, 'Conversion', {
    inputs: new InputsBucket(stack, 'Inputs', stage),
    smartCrop,
  });
  const permission = (use: Parameters<typeof conversion.allow>[0]) => {
    const { statements = [], settings = {} } = conversion.allow(use);
    const resolved = statements.map((statement) => stack.resolve(statement.toStatementJson()));
    const lines = resolved.map(({ Action, Resource, Condition }) => [
      [Action].flat().join(' '),
      textOf(Resource).replaceAll(/[0-9A-F]{8}/g, ''),
      ...(Condition ? [JSON.stringify(Condition)] : []),
    ]);
    return { lines, settings: Object.keys(settings), cropping: settings.clipCropping };
  };
  return { permission, template: () => Template.fromStack(stack) };
}

const jobs = 'arn:<AWS::Partition>:mediaconvert:<AWS::Region>:<AWS::AccountId>:jobs/*';

const transcriptions = 'arn:<AWS::Partition>:transcribe:<AWS::Region>:<AWS::AccountId>:transcription-job/*';

describe('video conversion by a function that makes clips', () => {
  test('is limited to creating jobs in the stage’s queue and transcripts in its bucket, reading and stopping both, and passing the role', () => {
    const { lines, settings, cropping } = subject(false).permission('make');
    expect(lines).toEqual([
      ['mediaconvert:CancelJob', jobs],
      ['transcribe:DeleteTranscriptionJob', transcriptions],
      ['mediaconvert:CreateJob mediaconvert:SearchJobs', '<ConversionQueue.Arn>'],
      ['mediaconvert:GetJob', jobs],
      ['transcribe:GetTranscriptionJob', transcriptions],
      ['transcribe:StartTranscriptionJob', '*', expect.stringContaining('"transcribe:OutputBucketName":{"Ref"')],
      ['iam:PassRole', '<ConversionRole.Arn>', '{"StringEquals":{"iam:PassedToService":"mediaconvert.amazonaws.com"}}'],
      ['s3:PutObject s3:AbortMultipartUpload', expect.stringMatching(/\/inputs\/\*$/)],
    ]);
    expect(settings).toEqual(['inputsBucket', 'mediaConvertRole', 'mediaConvertQueue', 'clipCropping']);
    expect(cropping).toBe('center');
  });

  test('reports its progress to the stage if enabled', () => {
    expect(subject(true).permission('make').cropping).toBe('smart');
  });
});

test('a function that ends tasks may only stop video conversions', () => {
  expect(subject(false).permission('stop').lines).toEqual([
    ['mediaconvert:CancelJob', jobs],
    ['transcribe:DeleteTranscriptionJob', transcriptions],
  ]);
});

test.for([
  [false, []],
  [true, ['elemental-inference:CreateFeed']],
] as const)(
  'with smart crops set to %s, MediaConvert’s role may read and write task files and has the further permissions %j',
  ([smartCrop, feeds]) => {
    const template = subject(smartCrop).template();
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Principal: { Service: 'mediaconvert.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
    const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
    const allowed = policy?.Properties.PolicyDocument.Statement.map(
      ({ Action, Resource }: { readonly Action: readonly string[]; readonly Resource: unknown }) => [
        Action[0],
        textOf(Resource).replace(/^.*\//, ''),
      ],
    );
    const [files, ...others] = allowed;
    expect(files).toEqual(['s3:GetObject', '*']);
    expect(others.map(([action]: readonly string[]) => action)).toEqual(feeds);
    template.hasResourceProperties('AWS::MediaConvert::Queue', smartCrop ? { MaximumConcurrentFeeds: 1 } : {});
  },
);

test('only functions that make clips or end tasks may stop conversions, and only on a stage with the conversion engine', () => {
  const stoppers = (stage: Synthesized) =>
    Object.entries(functionsOf(stage.service('dev')))
      .filter(([, { allowances }]) => allowances.some(({ action }) => action === 'mediaconvert:CancelJob'))
      .map(([name]) => name);
  expect(stoppers(synthesize('dev', { dev: { engines: { fal: {} } } }))).toEqual([]);
  const found = stoppers(fullStage('dev'));
  expect(found.toSorted()).toEqual([
    'askClipEngine',
    'cancelTask',
    'deleteTask',
    'eraseClosedAccounts',
    'finalize',
    'performTaskAct',
    'settleExecution',
    'sweepTasks',
  ]);
});
