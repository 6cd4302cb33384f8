/** An AWS call as its HTTP request identifies it, and the faults that can happen to it. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Reply } from './proxy.ts';

export type AwsService = 'DynamoDB' | 'Step Functions' | 'SQS' | 'S3';

/** An attempt of a call, according to the SDK's headers. */
export interface AwsCall {
  readonly service: AwsService;
  readonly operation: string;
  /** An id that is the same for all attempts of a call; undefined if the caller is not the SDK. */
  readonly invocation: string | undefined;
  readonly attempt: number;
  readonly maxAttempts: number;
}

/**
 * `refused` resets the connection before anything is done, `lost` after it was done; `silent` does it and never responds;
 * `late` responds after a pause; `conflict` and `throttled` are errors of AWS itself.
 */
export type FaultKind = 'refused' | 'lost' | 'silent' | 'late' | 'conflict' | 'throttled';

/** The services that `X-Amz-Target` names; a request without that header is for S3. */
const services: Readonly<Record<string, AwsService>> = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
  AmazonSQS: 'SQS',
};

export function awsCallOf({ headers, method = '', url = '/' }: IncomingMessage): AwsCall {
  const [target = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  const [, attempt = '1', maxAttempts = '1'] =
    /attempt=(\d+);\s*max=(\d+)/.exec(String(headers['amz-sdk-request'] ?? '')) ?? [];
  const invocation = headers['amz-sdk-invocation-id'];
  const query = new URL(url, 'http://bucket').searchParams;
  const ofFolder = query.has('list-type') ? 'ListObjectsV2' : query.has('delete') ? 'DeleteObjects' : method;
  return {
    service: services[target] ?? 'S3',
    operation: operation ?? query.get('x-id') ?? ofFolder,
    invocation: invocation === undefined ? undefined : String(invocation),
    attempt: Number(attempt),
    maxAttempts: Number(maxAttempts),
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

/** Performs a call under a fault, if there is one. */
export async function performUnder(
  fault: FaultKind | undefined,
  call: AwsCall,
  { lateMs, perform }: { readonly lateMs: () => number; readonly perform: () => Promise<Reply> },
): Promise<Outcome> {
  if (fault === 'refused') return 'hang up';
  if (fault === 'late') await sleep(lateMs());
  const reply = errorOf(fault, call) ?? (await perform());
  if (fault === 'lost') return 'hang up';
  return fault === 'silent' ? 'silence' : reply;
}
