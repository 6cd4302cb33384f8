/** When a stored response is replayed, on the real table. */

import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import type { StoredResponse } from '../../shared/domain/idempotency/idempotency.ts';
import { storeResponse } from '../../shared/domain/idempotency/idempotency-store.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { stores } from '../../shared/domain/stores.ts';
import { tokenDigest, tokenSecretBytes, tokenText } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { TableBusy } from '../../shared/platform/table-busy.ts';
import { createFullContext, type FullContext } from '../../shared/runtime/full-context.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import { tableInTests, testIds, testTime } from '../support/test-table.ts';

const contract = {
  operationId: 'playNote',
  method: 'POST',
  path: '/api/v1/notes',
  tag: 'Notes',
  scopes: ['generate:audio'],
  idempotent: true,
  summary: 'Play a note',
  description: 'A note.',
  headers: z.object({ 'x-dry-run': z.string().optional(), 'x-client-reference': z.string().optional() }),
  body: z.object({ pitch: z.string().toLowerCase(), loudness: z.int().default(5) }),
  success: { status: 202, data: z.object({ played: z.int() }) },
  dryRun: z.object({ played: z.int() }),
  errors: [],
  example: { data: {} },
} as const satisfies OperationContract;

const dayMs = 24 * 3_600_000;

let context: FullContext;
let now: number;
let played: number;
let replayed: StoredResponse[];
/** The error that the operation throws instead of playing a note. */
let rejection: Error | undefined;

const host = await tableInTests();
beforeEach(() => {
  [now, played, replayed, rejection] = [testTime, 0, [], undefined];
  const clock = { now: () => now };
  context = { ...createFullContext({ TABLE_NAME: 'unused' }, { clock }), ...stores(host.table, clock) };
});

async function aToken(accountId = testIds.next()) {
  const text = tokenText(testIds.secret(tokenSecretBytes));
  const token = { tokenId: testIds.next(), accountId, name: 'test', scopes: contract.scopes };
  await tokenStore(context.table).insert(tokenDigest(text), token);
  return { text, accountId };
}

/** Plays a note, and stores the response as an operation does in its transaction. */
const playNote = operationLambda(
  contract,
  async ({ actor: { accountId }, idempotency }) => {
    if (rejection) throw rejection;
    const note = played + 1;
    if (idempotency) {
      const { key, fingerprint } = idempotency;
      const response = { fingerprint, status: 202, body: `{"success":true,"data":{"played":${note}}}` };
      const scope = { accountId, operationId: contract.operationId, key };
      await host.table.transact([storeResponse(scope, response, now)]);
    }
    played = note;
    return { played };
  },
  {},
  { onReplay: async (response) => void replayed.push(response) },
);

const request = (
  token: string,
  { headers = {}, body = { pitch: 'a' } }: { headers?: Record<string, string>; body?: object } = {},
) => {
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  const event = {
    multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: 'request' },
  };
  return playNote(context)(event as unknown as APIGatewayProxyEvent, {} as LambdaContext);
};

const headers = { 'idempotency-key': 'note-1' };

test('a request whose database writes keep conflicting gets 503 and the time to wait before a retry', async () => {
  const { text } = await aToken();
  rejection = new TableBusy(new Error('conflict'));
  const response = await request(text);
  expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '2' } });
  expect(JSON.parse(response.body)).toMatchObject({ success: false, error: { code: 'PROVIDER_UNAVAILABLE' } });
});

describe('a repeated request with an idempotency key', () => {
  test('gets the stored response, and the operation’s hook for replays is called', async () => {
    const { text } = await aToken();
    const first = await request(text, { headers });
    const again = await request(text, { headers });
    expect(again).toMatchObject({ statusCode: 202, body: first.body, headers: { 'Idempotent-Replayed': 'true' } });
    expect(played).toBe(1);
    expect(replayed).toMatchObject([{ body: first.body }]);
  });

  test.each([
    new Rejection('switched-off', { message: 'Not now.', retryAfterSeconds: 1 }),
    new Error('the commit met too many others'),
  ])('gets the stored response even if the operation would now fail with "$message"', async (thrown) => {
    const { text } = await aToken();
    const first = await request(text, { headers });
    rejection = thrown;
    const again = await request(text, { headers });
    expect(again).toMatchObject({ statusCode: 202, body: first.body, headers: { 'Idempotent-Replayed': 'true' } });
    expect((await request(text, { headers: { 'idempotency-key': 'note-2' } })).statusCode).toBeGreaterThanOrEqual(500);
    expect((await request(text)).statusCode).toBeGreaterThanOrEqual(500);
  });

  test('runs the operation again after the stored response has expired', async () => {
    const { text } = await aToken();
    await request(text, { headers });
    now = testTime + dayMs - 1;
    await request(text, { headers });
    expect(played).toBe(1);
    now = testTime + dayMs;
    await request(text, { headers });
    expect(played).toBe(2);
  });
});

describe('a repeated request with an idempotency key that was used before', () => {
  const mismatch = async (first: Parameters<typeof request>[1], again: Parameters<typeof request>[1]) => {
    const { text } = await aToken();
    await request(text, { ...first, headers: { ...headers, ...first?.headers } });
    const response = await request(text, { ...again, headers: { ...headers, ...again?.headers } });
    expect(response.headers?.['Idempotent-Replayed']).toBe('true');
    return response.headers?.['Idempotent-Body-Mismatch'] === 'true';
  };

  test.for<[string, object, object, boolean]>([
    ['is marked as different if a known field differs', { body: { pitch: 'a' } }, { body: { pitch: 'b' } }, true],
    [
      'is marked as different if an optional field is added',
      { body: { pitch: 'a' } },
      { body: { pitch: 'a', loudness: 6 } },
      true,
    ],
    [
      'is marked as different if X-Client-Reference differs',
      {},
      { headers: { 'x-client-reference': 'order 2' } },
      true,
    ],
    [
      'counts as the same if a default value is explicit',
      { body: { pitch: 'a' } },
      { body: { pitch: 'a', loudness: 5 } },
      false,
    ],
    [
      'counts as the same if only the letter case of a normalized field differs',
      { body: { pitch: 'a' } },
      { body: { pitch: 'A' } },
      false,
    ],
    [
      'counts as the same if an unknown property differs',
      { body: { pitch: 'a' } },
      { body: { pitch: 'a', color: 1 } },
      false,
    ],
    [
      'counts as the same if its fields are in another order',
      { body: { pitch: 'a', loudness: 1 } },
      { body: { loudness: 1, pitch: 'a' } },
      false,
    ],
  ])('%s', async ([, first, again, differs]) => {
    expect(await mismatch(first, again)).toBe(differs);
  });
});

describe('the operation runs, although a response is stored, for a request', () => {
  test.for<[string, Record<string, string>]>([
    ['without an idempotency key', {}],
    ['with another idempotency key', { 'idempotency-key': 'note-2' }],
    ['that is a dry run', { ...headers, 'x-dry-run': 'true' }],
  ])('%s', async ([, others]) => {
    const { text } = await aToken();
    await request(text, { headers });
    // A dry run stores nothing: here it would be a second response for the same key.
    const outcome = await request(text, { headers: others });
    expect(outcome.headers?.['Idempotent-Replayed']).toBeUndefined();
    expect(played).toBe(2);
  });

  test('of another account', async () => {
    const [one, other] = [await aToken(), await aToken()];
    await request(one.text, { headers });
    await request(other.text, { headers });
    expect(played).toBe(2);
    const second = await aToken(one.accountId);
    expect((await request(second.text, { headers })).headers?.['Idempotent-Replayed']).toBe('true');
  });
});
