/** An AWS call as its HTTP request identifies it, and the faults that can happen to it. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Reply } from './proxy.ts';

type AwsService = 'DynamoDB' | 'Step Functions' | 'SQS' | 'S3';

export interface AwsCall {
  readonly service: AwsService;
  readonly operation: string;
}

/**
 * `refused`: the connection is reset before anything is done. `lost`: it is reset after the call was performed. `late`:
 * the response comes after a pause. `conflict` and `throttled`: AWS responds with these errors.
 */
export type FaultKind = 'refused' | 'lost' | 'late' | 'conflict' | 'throttled';

/** The services that `X-Amz-Target` names; a request without that header is for S3. */
const services: Readonly<Record<string, AwsService>> = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
  AmazonSQS: 'SQS',
};

export function awsCallOf({ headers, method = '', url = '/' }: IncomingMessage): AwsCall {
  const [target = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  const query = new URL(url, 'http://bucket').searchParams;
  const ofFolder = query.has('list-type') ? 'ListObjectsV2' : query.has('delete') ? 'DeleteObjects' : method;
  return {
    service: services[target] ?? 'S3',
    operation: operation ?? query.get('x-id') ?? ofFolder,
  };
}

const jsonError = (name: string, more: object = {}): Reply => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: name, message: name, ...more }),
});

const tableError = (name: string, more?: object) => jsonError(`com.amazonaws.dynamodb.v20120810#${name}`, more);

const slowDown: Reply = {
  status: 503,
  headers: { 'content-type': 'application/xml' },
  body: '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
};

/** The error in the protocol of the called service; undefined for faults that are not AWS errors. */
function errorOf(kind: FaultKind | undefined, { service, operation }: AwsCall): Reply | undefined {
  if (kind !== 'conflict' && kind !== 'throttled') return undefined;
  const Code = kind === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  if (operation === 'TransactWriteItems')
    return tableError('TransactionCanceledException', { CancellationReasons: [{ Code }] });
  if (kind === 'conflict') return tableError('TransactionConflictException');
  if (service === 'DynamoDB') return tableError('ProvisionedThroughputExceededException');
  return service === 'S3' ? slowDown : jsonError('ThrottlingException');
}

const lateMs = 15;

/** Performs a call under a fault, if there is one. */
export async function performUnder(
  fault: FaultKind | undefined,
  call: AwsCall,
  perform: () => Promise<Reply>,
): Promise<Outcome> {
  if (fault === 'refused') return 'hang up';
  if (fault === 'late') await sleep(lateMs);
  const reply = errorOf(fault, call) ?? (await perform());
  return fault === 'lost' ? 'hang up' : reply;
}
