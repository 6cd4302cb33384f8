import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createTable } from '../../../../infra/local/database/create-table.ts';
import { startDatabase } from '../../../../infra/local/database/database.ts';
import { localAccess } from '../../../../infra/local/local-access.ts';

const database = await startDatabase({});
afterAll(() => database.close());

test('an existing table with every index is left unchanged', async () => {
  await createTable(database.url, 'current');
  await expect(createTable(database.url, 'current')).resolves.toBeUndefined();
});

test('a table of an earlier version is rejected with its missing indexes and advice', async () => {
  const client = new DynamoDBClient(localAccess(database.url));
  await client.send(
    new CreateTableCommand({
      TableName: 'earlier',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  client.destroy();
  await expect(createTable(database.url, 'earlier')).rejects.toThrow(/byOwner.* Start with an empty data directory\.$/);
});
