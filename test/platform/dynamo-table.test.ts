/** How the table's adapter handles responses that no emulator gives: conflicts between writers. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { dynamoTable, TransactionCanceled } from '../../shared/platform/dynamo-table.ts';
import { TableBusy } from '../../shared/platform/table-busy.ts';
import { tableInTests } from '../support/test-table.ts';

interface Scripted {
  readonly type?: string;
  readonly reasons?: readonly object[];
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A table whose endpoint gives these responses in turn, and then succeeds. */
async function scriptedTable(responses: readonly Scripted[]) {
  const asked: { operation: string; token: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { ClientRequestToken?: string };
      const { type, reasons } = responses[asked.length] ?? {};
      asked.push({
        operation: String(request.headers['x-amz-target']).split('.')[1] ?? '',
        token: body.ClientRequestToken,
      });
      response.writeHead(type ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(
        JSON.stringify(
          type ? { __type: `com.amazonaws.dynamodb.v20120810#${type}`, CancellationReasons: reasons } : {},
        ),
      );
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return { asked, table: dynamoTable('table') };
}

const conflict: Scripted = {
  type: 'TransactionCanceledException',
  reasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
};
const key = { pk: 'a', sk: 'b' };
const write = [{ Put: { Item: key } }, { Put: { Item: { ...key, pk: 'c' } } }];

describe('a database transaction that conflicts with another one', () => {
  test.for([
    ['once', 1],
    ['five times', 5],
    ['ten times', 10],
  ] as const)('%s is retried until it succeeds', async ([, times]) => {
    const { asked, table } = await scriptedTable(Array.from({ length: times }, () => conflict));
    await table.transact(write);
    expect(asked).toHaveLength(times + 1);
    expect(new Set(asked.map(({ token }) => token)).size).toBe(1);
  });

  test('eleven times fails because the table is busy, not because of a failed condition', async () => {
    const { asked, table } = await scriptedTable(Array.from({ length: 20 }, () => conflict));
    await expect(table.transact(write)).rejects.toBeInstanceOf(TableBusy);
    expect(asked).toHaveLength(11);
  });

  test('and whose condition also fails is rejected at once because of the condition', async () => {
    const reasons = [{ Code: 'ConditionalCheckFailed', Item: { pk: { S: 'a' } } }, { Code: 'TransactionConflict' }];
    const { asked, table } = await scriptedTable([{ type: 'TransactionCanceledException', reasons }]);
    const error = await table.transact(write).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TransactionCanceled);
    expect((error as TransactionCanceled).failures).toEqual([{ item: { pk: 'a' } }, undefined]);
    expect(asked).toHaveLength(1);
  });
});

test('a database transaction waits for an earlier attempt to send it that is still in progress', async () => {
  const underWay = { type: 'TransactionInProgressException' };
  const { asked, table } = await scriptedTable([underWay, underWay, underWay, underWay]);
  await table.transact(write);
  expect(asked).toHaveLength(5);
  expect(new Set(asked.map(({ token }) => token)).size).toBe(1);
});

test('a single database write that conflicts with a transaction is retried', async () => {
  const { asked, table } = await scriptedTable([{ type: 'TransactionConflictException' }]);
  await table.update({ Key: key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } });
  await table.put({ Item: key });
  expect(asked.map(({ operation }) => operation)).toEqual(['UpdateItem', 'UpdateItem', 'PutItem']);
});

test('an item whose key is given several times is read once', async () => {
  const { table } = await tableInTests();
  const keys = Array.from({ length: 150 }, (_, index) => ({ pk: `TWICE#${index}`, sk: 'ROW' }));
  for (const Item of keys) await table.put({ Item });
  const read = await table.getMany([...keys, ...keys.toReversed()]);
  expect(read).toHaveLength(keys.length);
  expect(new Set(read.map(({ pk }) => pk))).toEqual(new Set(keys.map(({ pk }) => pk)));
});
