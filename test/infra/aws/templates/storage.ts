/** What a stage stores: its table, equivalent to the local one, and the buckets of files. */
import { describe, expect, test } from 'vitest';
import { createTable } from '../../../../infra/local/database/create-table.ts';
import { localIdentity } from '../../../../infra/local/service-environment.ts';
import { awsJsonEndpoint } from '../../../support/aws-json-endpoint.ts';
import { everySetting, fullStage } from '../full-stage.ts';
import { functionsOf } from '../policies.ts';
import { synthesize, textOf } from '../synthesized.ts';

const data = synthesize('prod').data('prod');

describe('the table of a stage', () => {
  test('has the same schema as the local table', async () => {
    const asked: object[] = [];
    const endpoint = await awsJsonEndpoint((_operation, parameters) => {
      asked.push(parameters);
      return {};
    });
    Object.assign(process.env, localIdentity);
    await createTable(endpoint.url, 'any');
    await endpoint.close();

    const byName = (one: { AttributeName: string }, other: { AttributeName: string }) =>
      one.AttributeName < other.AttributeName ? -1 : 1;
    const comparable = ({
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes,
      BillingMode,
    }: Record<string, unknown>) => ({
      AttributeDefinitions: (AttributeDefinitions as { AttributeName: string }[]).toSorted(byName),
      KeySchema,
      GlobalSecondaryIndexes,
      BillingMode,
    });
    const [local] = asked;
    expect(comparable(data.one('AWS::DynamoDB::Table').Properties)).toEqual(
      comparable(local as Record<string, unknown>),
    );
  });

  test('can be based on a restored table, which the stack neither creates nor changes', () => {
    const restored = fullStage('dev');
    expect(restored.data('dev').ofType('AWS::DynamoDB::Table')).toEqual({});
    expect(functionsOf(restored.service('dev')).getTask.environment.TABLE_NAME).toBe('restored-2026');
    const [allowed] = functionsOf(restored.service('dev')).getTask.allowances.filter(({ action }) =>
      action.startsWith('dynamodb:'),
    );
    expect(allowed?.resource).toBe('arn:aws:dynamodb:eu-west-1:123456789012:table/restored-2026');
  }, 240_000);

  test('deletes expired items', () => {
    const { TimeToLiveSpecification } = data.one('AWS::DynamoDB::Table').Properties;
    expect(TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  });
});

describe('the storage of results', () => {
  const policy = () =>
    data.ofType<{ Bucket: unknown; PolicyDocument: { Statement: Record<string, unknown>[] } }>('AWS::S3::BucketPolicy');

  test('is private and keeps results as long as configured, inputs and exports a day, unused uploads a week or for as long as their folder says, and used ones permanently', () => {
    const buckets = Object.entries(data.ofType('AWS::S3::Bucket')).map(([name, { Properties }]) => [name, Properties]);
    const kept = (days: Readonly<Record<string, number>>) => ({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      LifecycleConfiguration: {
        Rules: [
          ...Object.entries(days).map(([Prefix, ExpirationInDays]) => ({
            Prefix,
            ExpirationInDays,
            Status: 'Enabled',
          })),
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
        ],
      },
    });
    const shorter = Object.fromEntries([1, 2, 3, 4, 5, 6].map((days) => [`uploads/${days}d/`, days]));
    expect(buckets).toMatchObject([
      [expect.stringMatching(/^Results/), kept({ 'results/': 90 })],
      [expect.stringMatching(/^Inputs/), kept({ 'inputs/': 1, 'exports/': 1, 'uploads/': 7, ...shorter })],
    ]);
  });

  test('is readable only by CloudFront and only over TLS', () => {
    const [statements] = Object.values(policy()).map(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements).toHaveLength(2);
    expect(statements?.[0]).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(statements?.[1]).toMatchObject({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
    });
    expect(data.one('AWS::CloudFront::Distribution').Properties).toMatchObject({
      DistributionConfig: { DefaultCacheBehavior: { ViewerProtocolPolicy: 'https-only' } },
    });
    expect(data.one('AWS::CloudFront::ResponseHeadersPolicy').Properties).toMatchObject({
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
        CorsConfig: {
          AccessControlAllowCredentials: false,
          AccessControlAllowMethods: { Items: ['GET', 'HEAD'] },
          AccessControlAllowOrigins: { Items: ['*'] },
        },
      },
    });
  });

  test('is served at the stage’s own domain, over TLS 1.2 at least, if it has one', () => {
    const { certificateArn } = everySetting.resultsDomain;
    const named = fullStage('dev');
    expect(named.data('dev').one('AWS::CloudFront::Distribution').Properties).toMatchObject({
      DistributionConfig: {
        Aliases: ['results.example.com'],
        ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
      },
    });
    const { getTask } = functionsOf(named.service('dev'));
    expect(getTask.environment.RESULTS_URL).toBe('https://results.example.com');
    expect(textOf(named.service('dev').outputs.ResultsDomainTarget?.Value)).toMatch(/ResultsDistribution\w+DomainName/);
  }, 240_000);
});
