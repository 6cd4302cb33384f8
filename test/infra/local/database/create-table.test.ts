import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createTable } from '../../../../infra/local/database/create-table.ts';
import { startDatabase } from '../../../../infra/local/database/database.ts';
import { localAccess } from '../../../../infra/local/local-access.ts';
import { indexes } from '../../../../shared/domain/index-keys.ts';
import { primaryKey } from '../../../../shared/domain/keys.ts';
import { dynamoTable } from '../../../../shared/platform/dynamo-table.ts';

const database = await startDatabase({});
afterAll(() => database.close());

test('an existing table with every index is left unchanged', async () => {
  await createTable(database.url, 'current');
  await expect(createTable(database.url, 'current')).resolves.toBeUndefined();
});

test('a table of an earlier version gets the indexes that it lacks, with the rows that it has', async () => {
  const client = new DynamoDBClient(localAccess(database.url));
  await client.send(
    new CreateTableCommand({
      TableName: 'earlier',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [primaryKey.pk, primaryKey.sk].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: primaryKey.pk, KeyType: 'HASH' },
        { AttributeName: primaryKey.sk, KeyType: 'RANGE' },
      ],
    }),
  );
  client.destroy();
  const { pk, sk } = indexes.byOwner;
  const row = { pk: 'ACCOUNT#1', sk: 'ACCOUNT', [pk]: 'ACCOUNTS', [sk]: '1' };
  const table = dynamoTable('earlier', localAccess(database.url));
  await table.put({ Item: row });

  await createTable(database.url, 'earlier');
  const found = (IndexName: string, name: string) =>
    table.list(
      { IndexName, KeyConditionExpression: `${name} = :owner`, ExpressionAttributeValues: { ':owner': 'ACCOUNTS' } },
      { limit: 9, offset: 0 },
    );
  expect(await found('byOwner', pk)).toEqual([row]);
  for (const [name, index] of Object.entries(indexes).slice(1)) expect(await found(name, index.pk)).toEqual([]);
});
