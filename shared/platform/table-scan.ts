/** Reads the whole table, for migrations; apart from the table's port, so that no function contains it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { AwsAccess } from './aws-access.ts';
import type { Item } from './dynamo-table.ts';

/** Yields every item of a table, page by page. */
export async function* scanTable(TableName: string, access: AwsAccess): AsyncGenerator<Item> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access));
  try {
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) yield* Items;
  } finally {
    client.destroy();
  }
}
