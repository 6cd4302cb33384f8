/**
 * How many tasks the quotas of the AWS account allow, by how much of each quota a task uses; docs/scale.md has the
 * assumptions.
 */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { AwsClient } from 'aws4fetch';

interface QuotaUse {
  /** The code of the AWS service in Service Quotas. */
  readonly service: string;
  /** The part of the quota's name in Service Quotas that stays the same. */
  readonly name: RegExp;
  /** How much of the quota one task uses if its engine calls back, with three polls and a webhook. */
  readonly perTask: number;
}

/** The quotas, by their names in the output. */
export const quotaUses = {
  'Lambda: concurrent executions': { service: 'lambda', name: /^Concurrent executions$/, perTask: 1.3 },
  'API Gateway: requests per second': { service: 'apigateway', name: /^Throttle rate$/, perTask: 5 },
  'Step Functions: StartExecution per second': {
    service: 'states',
    name: /^StartExecution throttle token refill rate/,
    perTask: 1,
  },
  'Step Functions: state transitions per second': {
    service: 'states',
    name: /^StateTransition throttle token refill rate/,
    perTask: 2,
  },
  'DynamoDB: write units per second of a table': {
    service: 'dynamodb',
    name: /^Table-level write throughput limit/,
    perTask: 48,
  },
  'DynamoDB: read units per second of a table': {
    service: 'dynamodb',
    name: /^Table-level read throughput limit/,
    perTask: 9,
  },
  'KMS: signatures per second': { service: 'kms', name: /^Cryptographic operations \(ECC\)/, perTask: 2 },
} as const satisfies Readonly<Record<string, QuotaUse>>;

export type QuotaName = keyof typeof quotaUses;

interface Quota {
  readonly QuotaName?: string;
  readonly Value?: number;
}
interface Page {
  readonly Quotas?: readonly Quota[];
  readonly NextToken?: string;
}

const patienceMs = 10_000;

/** Asks Service Quotas, which has no client of its own here, with the environment's account and region. */
async function ask(operation: 'ListServiceQuotas' | 'ListAWSDefaultServiceQuotas', input: object): Promise<Page> {
  const lambda = new LambdaClient();
  const [{ accessKeyId, secretAccessKey, sessionToken }, region] = await Promise.all([
    lambda.config.credentials(),
    lambda.config.region(),
  ]).finally(() => lambda.destroy());
  const given = { accessKeyId, secretAccessKey, region, service: 'servicequotas', retries: 0 };
  const client = new AwsClient({ ...given, ...(sessionToken && { sessionToken }) });
  const endpoint = process.env.AWS_ENDPOINT_URL ?? `https://servicequotas.${region}.amazonaws.com`;
  const response = await client.fetch(`${endpoint}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `ServiceQuotasV20190624.${operation}` },
    body: JSON.stringify({ MaxResults: 100, ...input }),
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!response.ok) throw new Error(`Service Quotas responds with ${response.status}`);
  return (await response.json()) as Page;
}

/** The value of a quota: the one applied to the account, which only quotas that were changed may have, or the default. */
async function amountOf({ service, name }: QuotaUse): Promise<number | undefined> {
  for (const operation of ['ListServiceQuotas', 'ListAWSDefaultServiceQuotas'] as const) {
    let next: string | undefined;
    do {
      const page = await ask(operation, { ServiceCode: service, ...(next !== undefined && { NextToken: next }) });
      const found = page.Quotas?.find(({ QuotaName = '' }) => name.test(QuotaName))?.Value;
      if (found !== undefined) return found;
      next = page.NextToken;
    } while (next !== undefined);
  }
  return undefined;
}

/** Says what a quota is, and how many tasks per second it is enough for; undefined if Service Quotas does not name it. */
export async function reachOf(quota: QuotaName): Promise<string | undefined> {
  const use = quotaUses[quota];
  const value = await amountOf(use);
  if (value === undefined) return undefined;
  const load = value / use.perTask;
  const rounded = load >= 10 ? Math.floor(load) : Math.floor(load * 10) / 10;
  return `${value.toLocaleString('en-US')}: enough for ${rounded.toLocaleString('en-US')} tasks per second`;
}
