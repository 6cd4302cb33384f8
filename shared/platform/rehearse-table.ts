/** Sends one request to a table that is not there: what the first real one needs is compiled and ready afterwards. */
import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsAccess } from './aws-access.ts';

const attributes = { pk: { S: 'rehearsal' }, sk: { S: 'rehearsal' }, count: { N: '1' }, list: { L: [{ N: '1' }] } };

/** The response without a network. */
const handle = async () => ({
  response: {
    statusCode: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(JSON.stringify({ Attributes: attributes }))]),
  },
});

export async function rehearseTable(access: AwsAccess): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...access, requestHandler: { handle } }));
  await client.send(
    new UpdateCommand({
      TableName: 'rehearsal',
      Key: { pk: 'rehearsal', sk: 'rehearsal' },
      UpdateExpression: 'SET #count = :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );
}
