/**
 * AWS list prices for us-east-1, on demand, without free tiers and discounts. They have not been checked against AWS's
 * pages since their date: check them before relying on a result.
 */

interface What {
  /** The line of the bill. */
  readonly service: string;
  /** The unit, in the plural. */
  readonly unit: string;
  /** The number of units that the price is for. */
  readonly dollars: number;
  readonly per: number;
}

export interface Price extends What {
  /** AWS's page that states the price. */
  readonly page: string;
  /** The month in which it was looked up, or the year in which it was last known. */
  readonly asOf: string;
  /** Where it was actually read, because AWS's pages were not available. */
  readonly found: 'on the page' | 'in a third-party list' | 'from memory';
}

const listed = (page: string, what: What): Price => ({
  ...what,
  page,
  asOf: '2026-11',
  found: 'in a third-party list',
});
const remembered = (page: string, what: What): Price => ({ ...what, page, asOf: '2025', found: 'from memory' });

const million = 1e6;

const lambda = 'AWS Lambda pricing';
const dynamo = 'Amazon DynamoDB pricing, on-demand capacity';
const s3 = 'Amazon S3 pricing, S3 Standard';
const kms = 'AWS Key Management Service pricing';

export const prices = {
  apiRequests: listed('Amazon API Gateway pricing', {
    service: 'API Gateway',
    unit: 'REST requests',
    dollars: 3.5,
    per: million,
  }),
  // Applies to stages with a firewall, such as production.
  firewallRequests: remembered('AWS WAF pricing', {
    service: 'WAF',
    unit: 'inspected requests',
    dollars: 0.6,
    per: million,
  }),
  lambdaRequests: remembered(lambda, { service: 'Lambda', unit: 'invocations', dollars: 0.2, per: million }),
  lambdaGigabyteSeconds: remembered(lambda, {
    service: 'Lambda',
    unit: 'GB-seconds on Arm',
    dollars: 0.0000133334,
    per: 1,
  }),
  writeUnits: listed(dynamo, { service: 'DynamoDB', unit: 'write units', dollars: 0.625, per: million }),
  readUnits: listed(dynamo, { service: 'DynamoDB', unit: 'read units', dollars: 0.125, per: million }),
  stateTransitions: listed('AWS Step Functions pricing, Standard Workflows', {
    service: 'Step Functions',
    unit: 'state transitions',
    dollars: 25,
    per: million,
  }),
  // Applies to a fair queue, which a queue becomes when messages have a group; of the two known prices, the higher.
  queueRequests: remembered('Amazon SQS pricing', {
    service: 'SQS',
    unit: 'queue requests',
    dollars: 0.5,
    per: million,
  }),
  storageWrites: remembered(s3, { service: 'S3', unit: 'PUT requests', dollars: 0.005, per: 1000 }),
  storageReads: remembered(s3, { service: 'S3', unit: 'GET requests', dollars: 0.0004, per: 1000 }),
  storedGigabyteMonths: remembered(s3, { service: 'S3', unit: 'GB-months of files', dollars: 0.023, per: 1 }),
  macs: listed(kms, { service: 'KMS', unit: 'GenerateMac requests', dollars: 0.03, per: 10_000 }),
  signatures: remembered(kms, { service: 'KMS', unit: 'Sign requests, elliptic curve', dollars: 0.15, per: 10_000 }),
  logGigabytes: remembered('Amazon CloudWatch pricing', {
    service: 'CloudWatch Logs',
    unit: 'GB of ingested logs',
    dollars: 0.5,
    per: 1,
  }),
  sentGigabytes: remembered('Amazon EC2 pricing, data transfer out', {
    service: 'Data transfer',
    unit: 'GB of responses, webhooks and inputs',
    dollars: 0.09,
    per: 1,
  }),
} as const satisfies Record<string, Price>;

/** The items that are charged. */
export type Resource = keyof typeof prices;

const cloudFront = 'Amazon CloudFront pricing, United States and Europe';

/**
 * The price of downloads, which are not part of a task's cost because customers decide how often and from where they
 * download results.
 */
export const deliveryPrices = {
  gigabytes: remembered(cloudFront, { service: 'CloudFront', unit: 'GB of results sent', dollars: 0.085, per: 1 }),
  requests: remembered(cloudFront, { service: 'CloudFront', unit: 'HTTPS requests', dollars: 0.01, per: 10_000 }),
} as const satisfies Record<string, Price>;
