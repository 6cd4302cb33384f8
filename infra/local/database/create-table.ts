/** Creates the service's table in the local database from its schema. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { indexes, primaryKey } from '../../../shared/domain/keys.ts';
import { localAccess } from '../local-access.ts';

const text = (name: string) => ({ AttributeName: name, AttributeType: 'S' }) as const;

const keySchema = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => [
  { AttributeName: pk, KeyType: 'HASH' } as const,
  { AttributeName: sk, KeyType: 'RANGE' } as const,
];

/** @throws {Error} if the table was created by a version of the service with other indexes */
async function requireIndexes(client: DynamoDBClient, tableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  const existing = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const missing = Object.keys(indexes).filter((name) => !existing.has(name));
  if (missing.length === 0) return;
  throw new Error(
    `The database was created by an earlier version and lacks the indexes ${missing.join(', ')}. Start with an empty data directory.`,
  );
}

/** Creates the table unless it exists. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient(localAccess(endpoint));
  const keys = [primaryKey, ...Object.values(indexes)];
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(keys.flatMap(({ pk, sk }): string[] => [pk, sk]))].map(text),
    KeySchema: keySchema(primaryKey),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([name, key]) => ({
      IndexName: name,
      KeySchema: keySchema(key),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (error instanceof ResourceInUseException) return requireIndexes(client, tableName);
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
      throw new Error(`No DynamoDB responds at ${endpoint}: check DYNAMODB_ENDPOINT.`, { cause: error });
    }
    throw error;
  } finally {
    client.destroy();
  }
}
