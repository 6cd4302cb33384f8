/** A test-only operation that calls an external party before its commit, over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { text } from '../../shared/contracts/fields.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { runOnce } from '../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

const contract = {
  operationId: 'createToyOrder',
  method: 'POST',
  path: '/api/v1/toy-orders',
  tag: 'Toys',
  scopes: ['create:credits'],
  idempotent: true,
  summary: 'Order a toy',
  description: 'A toy.',
  body: z.object({ toy: text(1, 20) }),
  success: { status: 201, data: z.object({ charge: z.string(), toy: z.string() }) },
  errors: ['IDEMPOTENCY_CONFLICT', 'PROVIDER_UNAVAILABLE'],
  example: { data: { charge: 'charge-1', toy: 'robot' } },
} as const satisfies OperationContract;

let host: TestService;
let account: TestAccount;
let charges: Map<string, string>;
/** What happens at the gateway before it charges, and afterwards. */
let atGateway: () => Promise<unknown>;
let afterCharge: () => Promise<unknown>;

const definition = operationLambda(contract, ({ actor, body, idempotency }, context) => {
  const pause = async (milliseconds: number) => {
    host.clock.advance(milliseconds);
    await sleep(1);
  };
  const { accountId } = actor;
  const work = {
    isRepeatable: false,
    async call(outsideKey: string) {
      await atGateway();
      const charge = charges.get(outsideKey) ?? `charge-${charges.size + 1}`;
      charges.set(outsideKey, charge);
      await afterCharge();
      return charge;
    },
    commit: (charge: string) => ({
      writes: [{ action: { Put: { Item: { pk: `TOY-${accountId}`, sk: charge, toy: body.toy } } } }],
      data: { charge, toy: body.toy, secret: 'undeclared' },
    }),
  };
  return runOnce({ ...context, pause }, { accountId, contract, idempotency }, work);
});

beforeAll(async () => {
  host = await testService({
    additional: {
      functions: { createToyOrder: { definition, timeoutSeconds: 28 } },
      routes: [{ method: 'POST', path: contract.path, functionName: 'createToyOrder' }],
      prepare: (context) => context,
    },
  });
});
afterAll(() => host.close());
beforeEach(async () => {
  charges = new Map();
  [atGateway, afterCharge] = [async () => undefined, async () => undefined];
  account = await host.account();
});

async function order(key?: string, toy = 'robot') {
  const response = await fetch(`${host.url}${contract.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ toy }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('identical concurrent orders charge once, and all get the same response', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => order('the same')));
  expect(charges.size).toBe(1);
  expect(new Set(all.map(({ text: body }) => body))).toEqual(new Set([all[0]?.text]));
  expect(all.every(({ status }) => status === 201)).toBe(true);
  expect(all.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
});

test('a repeated order gets the bytes of the first response, without fields that the contract does not declare', async () => {
  const first = await order('bytes');
  expect(JSON.parse(first.text)).toEqual({ success: true, data: { charge: 'charge-1', toy: 'robot' } });
  expect((await order('bytes')).text).toBe(first.text);
});

test('another body never gets what an unfinished request with its key has paid for', async () => {
  let lost = true;
  afterCharge = async () => {
    if (lost) throw new Error('the connection broke');
  };
  expect((await order('lost', 'robot')).status).toBe(500);
  lost = false;
  const other = await order('lost', 'train');
  expect([other.status, other.headers.get('retry-after')]).toEqual([409, null]);
  expect(JSON.parse(other.text)).toMatchObject({ error: { code: 'IDEMPOTENCY_CONFLICT' } });
  const same = await order('lost', 'robot');
  expect([same.status, JSON.parse(same.text)]).toMatchObject([201, { data: { charge: 'charge-1', toy: 'robot' } }]);
  expect(charges.size).toBe(1);
});

test('a repeated order with a different body gets the first response, marked as a mismatch', async () => {
  const first = await order('one', 'robot');
  const again = await order('one', 'train');
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotent-body-mismatch')).toBe('true');
});

test('a repeat of an order that stays in progress is a conflict with Retry-After', async () => {
  const reached = Promise.withResolvers<void>();
  const responses = Promise.withResolvers<void>();
  atGateway = async () => {
    reached.resolve();
    await responses.promise;
  };
  const first = order('slow');
  await reached.promise;
  const askedAt = host.clock.now();
  const again = await order('slow');
  expect(again.status).toBe(409);
  expect(JSON.parse(again.text)).toMatchObject({ error: { code: 'IDEMPOTENCY_CONFLICT' } });
  expect(again.headers.get('retry-after')).toBe('1');
  expect(host.clock.now() - askedAt).toBeGreaterThanOrEqual(5000);
  responses.resolve();
  expect((await first).status).toBe(201);
  expect((await order('slow')).text).toBe((await first).text);
  expect(charges.size).toBe(1);
});

test('no order is stored if the gateway is down, and the same key succeeds later', async () => {
  atGateway = () => Promise.reject(new Rejection('dependency-unavailable', { retryAfterSeconds: 2 }));
  const down = await order('again');
  expect([down.status, down.headers.get('retry-after')]).toEqual([503, '2']);
  atGateway = async () => undefined;
  const later = await order('again');
  expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([201, null]);
});
