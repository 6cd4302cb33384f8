/**
 * List prices for us-east-1, on demand, without free tiers and discounts. They have not been checked against the
 * vendors' pages since their date: check them before relying on a result.
 */

/** When a price was looked up or last known, and where it was actually read, because AWS's pages were not available. */
interface Source {
  readonly asOf: string;
  readonly found: 'on the page' | 'in a third-party list' | 'from memory';
}

export interface Price extends Source {
  /** The line of the bill. */
  readonly service: string;
  /** The unit, in the plural. */
  readonly unit: string;
  /** The number of units that the price is for. */
  readonly dollars: number;
  readonly per: number;
  /** The page that states the price. */
  readonly page: string;
}

const read: Source = { asOf: '2026-11', found: 'on the page' };
const listed: Source = { asOf: '2026-11', found: 'in a third-party list' };
const remembered: Source = { asOf: '2025', found: 'from memory' };

type Row = readonly [service: string, unit: string, dollars: number, per: number, page: string, source: Source];

const priced = <Name extends string>(rows: Readonly<Record<Name, Row>>): Readonly<Record<Name, Price>> => {
  const made = Object.entries<Row>(rows).map(([name, [service, unit, dollars, per, page, source]]) => [
    name,
    { service, unit, dollars, per, page, ...source },
  ]);
  return Object.fromEntries(made) as Record<Name, Price>;
};

const million = 1e6;
const lambda = 'AWS Lambda pricing';
const dynamo = 'Amazon DynamoDB pricing, on-demand capacity';
const s3 = 'Amazon S3 pricing, S3 Standard';
const kms = 'AWS Key Management Service pricing';
const transfer = 'Amazon EC2 pricing, data transfer out';
const workflows = 'AWS Step Functions pricing, Standard Workflows';

/**
 * The firewall applies to stages with one, such as production. The queue is a fair one, which a queue becomes when
 * messages have a group; of the two known prices, this is the higher.
 */
export const prices = priced({
  apiRequests: ['API Gateway', 'REST requests', 3.5, million, 'Amazon API Gateway pricing', listed],
  firewallRequests: ['WAF', 'inspected requests', 0.6, million, 'AWS WAF pricing', remembered],
  lambdaRequests: ['Lambda', 'invocations', 0.2, million, lambda, remembered],
  lambdaGigabyteSeconds: ['Lambda', 'GB-seconds on Arm', 0.0000133334, 1, lambda, remembered],
  writeUnits: ['DynamoDB', 'write units', 0.625, million, dynamo, listed],
  readUnits: ['DynamoDB', 'read units', 0.125, million, dynamo, listed],
  stateTransitions: ['Step Functions', 'state transitions', 25, million, workflows, listed],
  queueRequests: ['SQS', 'queue requests', 0.5, million, 'Amazon SQS pricing', remembered],
  storageWrites: ['S3', 'PUT requests', 0.005, 1000, s3, remembered],
  storageReads: ['S3', 'GET requests', 0.0004, 1000, s3, remembered],
  storedGigabyteMonths: ['S3', 'GB-months of files', 0.023, 1, s3, remembered],
  macs: ['KMS', 'GenerateMac requests', 0.03, 10_000, kms, listed],
  signatures: ['KMS', 'Sign requests, elliptic curve', 0.15, 10_000, kms, remembered],
  logGigabytes: ['CloudWatch Logs', 'GB of ingested logs', 0.5, 1, 'Amazon CloudWatch pricing', remembered],
  sentGigabytes: ['Data transfer', 'GB of responses, webhooks and inputs', 0.09, 1, transfer, remembered],
});

/** The items that are charged. */
export type Resource = keyof typeof prices;

const cloudFront = 'Amazon CloudFront pricing, United States and Europe';

/**
 * The price of downloads, which are not part of a task's cost because customers decide how often and from where they
 * download results.
 */
export const deliveryPrices = priced({
  gigabytes: ['CloudFront', 'GB of results sent', 0.085, 1, cloudFront, remembered],
  requests: ['CloudFront', 'HTTPS requests', 0.01, 10_000, cloudFront, remembered],
});

const scribe = 'fal.ai/models/fal-ai/elevenlabs/speech-to-text; that of its second version was not found';
const trim = 'fal.ai/models/fal-ai/workflow-utilities/trim-video';
const bedrock = 'Amazon Bedrock pricing, a small model';
const vizard = 'vizard.ai/pricing, Creator; docs.vizard.ai/docs/pricing says that minutes of the source are used up';

/**
 * What providers charge for making clips, in addition to AWS. Burned-in captions need MediaConvert's professional tier;
 * HD at up to 30 frames per second counts twice.
 */
export const clipPrices = priced({
  transcribedMinutes: ['Amazon Transcribe', 'minutes of speech', 0.006, 1, 'Amazon Transcribe pricing, batch', listed],
  convertedMinutes: [
    'MediaConvert',
    'normalized minutes, professional tier',
    0.012,
    1,
    'AWS Elemental MediaConvert pricing',
    listed,
  ],
  falTranscribedMinutes: ['fal.ai, speech to text', 'minutes of speech', 0.03, 1, scribe, read],
  falCalls: ['fal.ai, trim, scale and extract', 'calls', 0.0001, 1, trim, listed],
  rankedTokens: ['Language model', 'tokens of transcript, answers included', 1.5, million, bedrock, remembered],
  vizardMinutes: ['Vizard', 'minutes of a plan', 29, 600, vizard, remembered],
});
