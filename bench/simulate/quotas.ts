/**
 * Default quotas of AWS in us-east-1 and of an engine, and our own limits.
 * AWS's figures have not been checked since their date; of two known figures, the lower one is used.
 */
import { addressLimit, queues } from '../../infra/hosting.ts';

interface Fact {
  readonly name: string;
  readonly amount: number;
  /** The size of the token bucket, for quotas that allow bursts. */
  readonly burst?: number;
  readonly remark?: string;
}

export interface Quota extends Fact {
  /** The page that states it. */
  readonly page: string;
  /** The month in which it was looked up, or the year that it is remembered from. */
  readonly asOf: string;
  readonly found: 'in an older copy of the page' | 'on the page' | 'from memory';
}

const remembered = <Known extends Fact>(page: string, what: Known) =>
  ({ ...what, page, asOf: '2025', found: 'from memory' }) as const;
const stepFunctions = <Known extends Fact>(what: Known) =>
  ({
    ...what,
    page: 'AWS Step Functions Developer Guide, quotas',
    asOf: '2026-11',
    found: 'in an older copy of the page',
  }) as const;

const apiGateway = 'Amazon API Gateway Developer Guide, quotas';
const lambda = 'AWS Lambda Developer Guide, quotas';
const sources = 'AWS Lambda Developer Guide, using Lambda with Amazon SQS';
const tables = 'Amazon DynamoDB Developer Guide, quotas';
const onDemand = 'Amazon DynamoDB Developer Guide, on-demand capacity';
const partitions = 'Amazon DynamoDB Developer Guide, burst and adaptive capacity';
const kms = 'AWS KMS Developer Guide, request quotas';

export const quotas = {
  apiThrottle: {
    name: 'Our API: requests per second from all clients',
    amount: 1000,
    burst: 2000,
    page: 'infra/aws/api.ts',
    asOf: '2026-11',
    found: 'on the page',
  },
  addressRequests: {
    name: 'Our firewall: requests per second from one back end',
    amount: addressLimit.requests / addressLimit.seconds,
    remark: 'by address, counted over five minutes; engine callbacks are not counted',
    page: 'infra/hosting.ts',
    asOf: '2026-11',
    found: 'on the page',
  },
  webhookWorkers: {
    name: 'Our webhook workers',
    amount: queues.webhooks.concurrency,
    page: 'infra/hosting.ts',
    asOf: '2026-11',
    found: 'on the page',
  },
  starts: stepFunctions({ name: 'Step Functions: StartExecution per second', amount: 300, burst: 1300 }),
  transitions: stepFunctions({
    name: 'Step Functions: state transitions per second',
    amount: 1500,
    burst: 5000,
    remark: 'newer pages say 5,000 per second',
  }),
  successes: stepFunctions({ name: 'Step Functions: SendTaskSuccess per second', amount: 500, burst: 3000 }),
  failures: stepFunctions({ name: 'Step Functions: SendTaskFailure per second', amount: 500, burst: 3000 }),
  openExecutions: stepFunctions({ name: 'Step Functions: open executions', amount: 1_000_000 }),
  apiRequests: remembered(apiGateway, { name: 'API Gateway: requests per second', amount: 10_000, burst: 5000 }),
  concurrency: remembered(lambda, {
    name: 'Lambda: concurrent executions',
    amount: 1000,
    remark: 'a new account may have as few as 10',
  }),
  callRate: remembered(lambda, { name: 'Lambda: invocations per second, ten per concurrent one', amount: 10_000 }),
  pollerConcurrency: remembered(sources, { name: 'Lambda: concurrency of one queue', amount: 1250 }),
  coldTableWrites: remembered(onDemand, {
    name: 'DynamoDB: write units per second of a new table',
    amount: 4000,
    remark: 'doubles within half an hour; can be set higher in advance',
  }),
  tableWrites: remembered(tables, { name: 'DynamoDB: write units per second of a table', amount: 40_000 }),
  tableReads: remembered(tables, { name: 'DynamoDB: read units per second of a table', amount: 40_000 }),
  partitionWrites: remembered(partitions, {
    name: 'DynamoDB: write units per second of a partition',
    amount: 1000,
    remark: 'cannot be raised',
  }),
  signatures: {
    name: 'KMS: Sign per second, elliptic curves',
    amount: 1000,
    page: kms,
    asOf: '2026-11',
    found: 'on the page',
  },
  macs: remembered(kms, { name: 'KMS: GenerateMac per second', amount: 50_000 }),
  prefixWrites: remembered('Amazon S3 User Guide, performance', {
    name: 'S3: PUT per second of a prefix',
    amount: 3500,
    remark: 'scales by itself, but slowly for keys that begin with the time, as ours do',
  }),
  engineJobs: {
    name: 'An engine: concurrent jobs of one customer',
    amount: 40,
    remark: 'the most without a contract',
    page: 'fal.ai documentation, concurrency limits',
    asOf: '2026-11',
    found: 'on the page',
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;
