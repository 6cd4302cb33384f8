/** Writes many items to the service's table directly, for data that would otherwise take months to accumulate. */
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../shared/platform/dynamo-table.ts';

/** The most items of one request. */
const batchSize = 25;
const lanes = 4;

const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
  'x-amz-date': '20260101T000000Z',
  // The local database requires a signature, but does not verify it.
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/** The representation of bytes in DynamoDB's JSON. */
function asBase64(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const bytes = this[name];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
}

/** Sends requests without the SDK, which would take most of the time. */
export async function batchWrite(endpoint: string, tableName: string, items: readonly Item[]): Promise<void> {
  const write = async (batch: readonly Item[]): Promise<void> => {
    const requests = batch.map((item) => ({ PutRequest: { Item: marshall(item) } }));
    const body = JSON.stringify({ RequestItems: { [tableName]: requests } }, asBase64);
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    const text = await response.text();
    const { UnprocessedItems = {} } = JSON.parse(text) as { UnprocessedItems?: object };
    if (!response.ok || Object.keys(UnprocessedItems).length > 0) {
      throw new Error(`the database did not accept a complete batch: ${text}`);
    }
  };
  const lane = async (first: number): Promise<void> => {
    for (let start = first * batchSize; start < items.length; start += lanes * batchSize) {
      await write(items.slice(start, start + batchSize));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
}
