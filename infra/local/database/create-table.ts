/** Creates the service's table in the local database from its schema. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { indexes } from '../../../shared/domain/index-keys.ts';
import { primaryKey } from '../../../shared/domain/keys.ts';
import { localAccess } from '../local-access.ts';

const text = (name: string) => ({ AttributeName: name, AttributeType: 'S' }) as const;

const keySchema = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => [
  { AttributeName: pk, KeyType: 'HASH' } as const,
  { AttributeName: sk, KeyType: 'RANGE' } as const,
];

const indexOf = ([name, key]: readonly [string, { readonly pk: string; readonly sk: string }]) => ({
  IndexName: name,
  KeySchema: keySchema(key),
  Projection: { ProjectionType: 'KEYS_ONLY' } as const,
});

/** Adds the indexes that a table of an earlier version lacks, one by one, as DynamoDB requires. */
async function addIndexes(client: DynamoDBClient, TableName: string): Promise<void> {
  const indexesOf = async () =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table?.GlobalSecondaryIndexes;
  const existing = new Set((await indexesOf())?.map(({ IndexName }) => IndexName));
  for (const entry of Object.entries(indexes).filter(([name]) => !existing.has(name))) {
    const [name, { pk, sk }] = entry;
    const GlobalSecondaryIndexUpdates = [{ Create: indexOf(entry) }];
    const AttributeDefinitions = [pk, sk].map(text);
    await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
    while ((await indexesOf())?.find(({ IndexName }) => IndexName === name)?.IndexStatus !== 'ACTIVE') await sleep(100);
  }
}

/** Creates the table, or adds the indexes that an existing one lacks. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient(localAccess(endpoint));
  const keys = [primaryKey, ...Object.values(indexes)];
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(keys.flatMap(({ pk, sk }): string[] => [pk, sk]))].map(text),
    KeySchema: keySchema(primaryKey),
    GlobalSecondaryIndexes: Object.entries(indexes).map(indexOf),
  });
  try {
    await client.send(command);
  } catch (error) {
    if (error instanceof ResourceInUseException) return await addIndexes(client, tableName);
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
      throw new Error(`No DynamoDB responds at ${endpoint}: check DYNAMODB_ENDPOINT.`, { cause: error });
    }
    throw error;
  } finally {
    client.destroy();
  }
}
