/** Creates the service's table in the local database, as its schema says. */
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { indexes, primaryKey } from '../../../shared/domain/keys.ts';

const text = (name: string) => ({ AttributeName: name, AttributeType: 'S' }) as const;

const keySchema = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => [
  { AttributeName: pk, KeyType: 'HASH' } as const,
  { AttributeName: sk, KeyType: 'RANGE' } as const,
];

/** Leaves a table that is there already as it is. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  const keys = [primaryKey, ...Object.values(indexes)];
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.flatMap(({ pk, sk }) => [text(pk), text(sk)]),
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
    if (error instanceof ResourceInUseException) return;
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
      throw new Error(`No DynamoDB answers at ${endpoint}. Is DYNAMODB_ENDPOINT right?`, { cause: error });
    }
    throw error;
  } finally {
    client.destroy();
  }
}
