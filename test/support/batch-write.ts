/** Writes many items to the service's table directly, for data that would otherwise take months to accumulate. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localAccess } from '../../infra/local/local-access.ts';
import type { Item } from '../../shared/platform/dynamo-table.ts';

/** The maximum of one request. */
const batchSize = 25;
const lanes = 4;

export async function batchWrite(endpoint: string, tableName: string, items: readonly Item[]): Promise<void> {
  const plain = new DynamoDBClient(localAccess(endpoint));
  // It copies every request for a log that is not kept.
  plain.middlewareStack.remove('loggerMiddleware');
  const client = DynamoDBDocumentClient.from(plain);
  const write = async (batch: readonly Item[]): Promise<void> => {
    const RequestItems = { [tableName]: batch.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('the database did not accept a complete batch');
  };
  const lane = async (first: number): Promise<void> => {
    for (let start = first * batchSize; start < items.length; start += lanes * batchSize) {
      await write(items.slice(start, start + batchSize));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
  client.destroy();
}
