/** Batches of generation requests: each request is answered as if it were sent alone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationId } from '../../shared/contracts/generate-batch.ts';
import { exampleBody } from '../support/example-body.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { serviceInTests, type TestAccount, type TestResponse } from '../support/test-service.ts';

interface Item {
  readonly operation: GenerationId;
  readonly body: object;
  readonly clientReference?: string;
  readonly idempotencyKey?: string;
}

interface ItemResponse {
  readonly status: number;
  readonly data?: { readonly taskId: string };
  readonly error?: { readonly code: string; readonly message: string };
}

let account: TestAccount;

const host = await serviceInTests();
const { context } = host.service;

beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ planId: 'business' });
});

const send = (items: readonly object[], headers: Record<string, string> = {}, { token } = account) =>
  host.call('generateBatch', { token, body: { items }, headers });
const itemsIn = ({ body }: TestResponse) => (body.data as { items: readonly ItemResponse[] }).items;
const statusesIn = (response: TestResponse) => itemsIn(response).map(({ status }) => status);
const keyed = (key: string) => ({ 'idempotency-key': key });
const stored = async ({ accountId } = account) => {
  const [found, ids] = await Promise.all([
    context.accounts.find(accountId),
    context.tasks.ids(accountId, {}, { limit: 100, offset: 0 }),
  ]);
  return { balance: found?.balance, ids };
};

/** Speech for 1 credit, and an image for 4. */
const speech = { operation: 'generateVoice', body: { text: 'Uma frase curta.', voice: 'sarah' } } as const;
const image = { operation: 'generateImage', body: { prompt: 'Um farol' } } as const;

describe.each(matrixRows(Object.values(generateContracts)))(
  '$operationId in a batch',
  ({ operationId, scopes: [scope] }) => {
    const item = (): Item => ({ operation: operationId, body: exampleBody(operationId, host.engine.inputUrls) });

    /** What the creation of a task has decided about it, except its ids and times. */
    const madeOf = async (taskId = '') => {
      const found = await context.tasks.find(taskId);
      if (!found) throw new Error(`the task ${taskId} does not exist`);
      const { accountId, tokenId, taskType, cost, input, route, derived, measuredSeconds, promise } = found;
      const { clientReference, createdAt, deadlineAt, influencerId } = found;
      const facts = { accountId, tokenId, taskType, cost, input, route, derived, measuredSeconds, promise };
      return { ...facts, clientReference, limitMs: deadlineAt - createdAt, isInfluencer: influencerId !== undefined };
    };

    test('creates the same task as a single request, and shares its idempotency keys', async () => {
      await giveExampleProduct(context, account.accountId, host.engine.inputUrls.image);
      const { token } = account;
      const { body } = item();
      const reference = { 'x-client-reference': 'pedido ção' };
      const headers = { ...keyed('alone'), 'x-client-reference': Buffer.from('pedido ção').toString('latin1') };
      const alone = await host.call(operationId, { token, body, headers });
      const batched = { ...item(), clientReference: reference['x-client-reference'] };
      const batch = await send([
        { ...batched, idempotencyKey: 'alone' },
        { ...batched, idempotencyKey: 'batched' },
      ]);
      const [again, other] = itemsIn(batch);
      expect(again).toEqual({ status: 202, data: alone.body.data });
      expect(batch.headers['idempotent-body-mismatch']).toBeUndefined();
      expect(Object.keys(other?.data ?? {})).toEqual(Object.keys(alone.body.data as object));
      expect(await madeOf(other?.data?.taskId)).toEqual(await madeOf(again?.data?.taskId));
      const replay = await host.call(operationId, { token, body, headers: { ...headers, ...keyed('batched') } });
      expect(replay.body.data).toEqual(other?.data);
      expect(replay.headers['idempotent-body-mismatch']).toBeUndefined();
    });

    test('is rejected with the same error as a single request', async () => {
      const others = ['generate:image', 'generate:video', 'generate:audio'] as const;
      const withoutScope = await host.token(
        account.accountId,
        others.filter((one) => one !== scope),
      );
      const poor = await host.account({ credits: 0, planId: 'business' });
      for (const { accountId } of [account, poor])
        await giveExampleProduct(context, accountId, host.engine.inputUrls.image);
      const planless = await host.account();
      const { body } = item();
      const requests = [
        { code: 'VALIDATION_ERROR', body: { callbackUrl: 'http://127.0.0.1' }, token: account.token },
        { code: 'FORBIDDEN', body, token: withoutScope.token },
        { code: 'INSUFFICIENT_CREDITS', body, token: poor.token },
        ...('feature' in generateContracts[operationId] ? [{ code: 'FORBIDDEN', body, token: planless.token }] : []),
      ];
      for (const { code, body: sent, token } of requests) {
        const alone = await host.call(operationId, { token, body: sent });
        expect(alone.body.error?.code).toBe(code);
        const [refused] = itemsIn(await send([{ operation: operationId, body: sent }], {}, { ...account, token }));
        expect(refused).toEqual({ status: alone.status, error: alone.body.error });
      }
    });
  },
);

describe('a batch', () => {
  test('accepts the other requests if some are rejected, in the order of the requests', async () => {
    const unsafe = { ...speech, body: { ...speech.body, callbackUrl: 'ftp://example.com' } };
    const items = [speech, { ...speech, body: {} }, image, unsafe];
    const response = await send(items);
    expect(itemsIn(response)).toEqual([
      { status: 202, data: { taskId: expect.any(String), status: 'queued' } },
      { status: 400, error: { code: 'VALIDATION_ERROR', message: 'text is required; voice or voiceId is required' } },
      { status: 202, data: { taskId: expect.any(String), status: 'queued' } },
      {
        status: 400,
        error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^callbackUrl must be an https/) },
      },
    ]);
    const { balance, ids } = await stored();
    expect(balance).toBe(995);
    expect(ids.toReversed()).toEqual(itemsIn(response).flatMap(({ data }) => data?.taskId ?? []));
  });

  test('counts as one request against the rate limit', async () => {
    const response = await send(Array.from({ length: 20 }, () => ({ ...speech, body: {} })));
    expect(response.headers.ratelimit).toMatch(/^"token";r=59;/);
  });

  test('has the Retry-After of the task that is expected to end first, and none if no task was created', async () => {
    const [first, second] = [await send([image]), await send([image, speech], keyed('hints'))];
    const hint = first.headers['retry-after'];
    expect([Number(hint) > 1, second.headers['retry-after']]).toEqual([true, hint]);
    // The response to a repeated request says that the task is to be polled after a second.
    expect((await send([image, speech, image], keyed('hints'))).headers['retry-after']).toBe('1');
    expect((await send([{ ...speech, body: {} }])).headers['retry-after']).toBeUndefined();
  });

  test('spends the credits on its requests in order, even if an earlier one takes longer to inspect', async () => {
    const few = await host.account({ credits: 9, planId: 'business' });
    const measured = { operation: 'changeVoice', body: exampleBody('changeVoice', host.engine.inputUrls) };
    // A request that is rejected at once does not let later requests of the batch come before earlier ones.
    const invalid = { ...speech, body: {} };
    const response = await send([image, measured, invalid, image, speech, image, speech], {}, few);
    const cost = (await context.tasks.find(itemsIn(response)[1]?.data?.taskId ?? ''))?.cost ?? 0;
    expect([cost, statusesIn(response)]).toEqual([2, [202, 202, 400, 402, 202, 402, 202]]);
    expect((await stored(few)).balance).toBe(1);
  });

  test('assigns slots in the order of its requests', async () => {
    await host.speak(account.token);
    const response = await send(Array.from({ length: 20 }, () => speech));
    expect(statusesIn(response)).toEqual([...Array.from({ length: 19 }, () => 202), 429]);
    expect(itemsIn(response).at(-1)?.error?.code).toBe('MAX_CONCURRENT_TASKS');
    await host.audit();
  });

  test('is rejected as a whole if the batch itself is malformed, and creates nothing', async () => {
    const unknown = { ...speech, operation: 'getTask' };
    const response = await send([speech, unknown, { ...speech, clientReference: '' }]);
    expect(response.body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: `items[1].operation must be one of ${Object.keys(generateContracts).join(', ')}; items[2].clientReference must be a string of 1 to 128 characters`,
    });
    expect((await stored()).ids).toEqual([]);
  });

  test('is rejected as a whole if the body of one item is nested too deeply', async () => {
    const deep = '['.repeat(9000) + ']'.repeat(9000);
    const body = `{"items":[{"operation":"generateVoice","body":{"deep":${deep}}}]}`;
    const response = await host.call('generateBatch', { token: account.token, body });
    expect(response.status).toBe(400);
    expect(response.body.error?.message).toBe('items[0].body must have at most 100 levels of nesting');
  });

  test('is rejected as a whole if the token may not generate anything', async () => {
    const reader = await host.token(account.accountId, ['read:tasks']);
    const response = await send([speech], {}, { ...account, ...reader });
    expect([response.status, response.body.error?.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('as a dry run returns the cost of each request and creates nothing', async () => {
    const response = await send([image, speech, { ...speech, body: {} }], { 'x-dry-run': 'true', ...keyed('quote') });
    expect(itemsIn(response)).toEqual([
      { status: 200, data: { cost: 4, balance: 1000, operation: 'generateImage' } },
      { status: 200, data: { cost: 1, balance: 1000, operation: 'generateVoice' } },
      { status: 400, error: { code: 'VALIDATION_ERROR', message: 'text is required; voice or voiceId is required' } },
    ]);
    expect((await stored()).ids).toEqual([]);
    const real = await send([image], keyed('quote'));
    expect([statusesIn(real), real.headers['idempotent-replayed']]).toEqual([[202], undefined]);
  });
});

describe('a repeated batch', () => {
  test('replays the accepted requests, tries the rejected ones again, and is marked as a replay if all were accepted before', async () => {
    const few = await host.account({ credits: 5 });
    const items = [image, image, speech];
    const first = await send(items, keyed('batch'), few);
    expect(statusesIn(first)).toEqual([202, 402, 202]);
    await host.call('cancelTask', { token: few.token, params: { taskId: itemsIn(first)[0]?.data?.taskId ?? '' } });
    const second = await send(items, keyed('batch'), few);
    expect(statusesIn(second)).toEqual([202, 202, 202]);
    expect([itemsIn(second)[0], itemsIn(second)[2]]).toEqual([itemsIn(first)[0], itemsIn(first)[2]]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    const third = await send(items, keyed('batch'), few);
    expect(third.text).toBe(second.text);
    expect([third.headers['idempotent-replayed'], third.headers['retry-after']]).toEqual(['true', '1']);
    expect((await stored(few)).ids).toHaveLength(3);
  });

  test('replays a request even if its operation or body has changed, and marks the mismatch', async () => {
    const first = await send([speech, image], keyed('batch'));
    const other = await send([image, image], keyed('batch'));
    expect(other.text).toBe(first.text);
    expect([other.headers['idempotent-replayed'], other.headers['idempotent-body-mismatch']]).toEqual(['true', 'true']);
  });

  test('creates new tasks if it has no idempotency key', async () => {
    await send([speech, speech]);
    expect((await send([speech, speech])).headers['idempotent-replayed']).toBeUndefined();
    expect((await stored()).ids).toHaveLength(4);
  });

  test('uses idempotency keys that no request outside of the batch can use', async () => {
    const first = await send([speech], keyed('batch'));
    const { body } = speech;
    const keys = ['batch', '0:batch', '0'];
    for (const key of keys) await host.call('generateVoice', { token: account.token, body, headers: keyed(key) });
    const chosen = await send(keys.map((idempotencyKey) => ({ ...speech, idempotencyKey })));
    expect(chosen.headers['idempotent-replayed']).toBe('true');
    const ids = new Set([first, chosen].flatMap((response) => itemsIn(response).map(({ data }) => data?.taskId)));
    expect(ids.size).toBe(4);
    expect((await stored()).ids).toHaveLength(4);
  });

  test('creates only the missing tasks if the first one was interrupted', async () => {
    const items = [speech, image, speech, image];
    let commits = 0;
    const table: typeof context.table = {
      ...context.table,
      async transact(actions) {
        commits += 1;
        if (commits > 2) throw new Error('the process has been killed');
        await context.table.transact(actions);
      },
    };
    const interrupted = await host.withContext({ ...context, table }, () => send(items, keyed('batch')));
    expect(statusesIn(interrupted)).toEqual([202, 202, 500, 500]);
    const made = (await stored()).ids;
    expect(made).toHaveLength(2);
    const again = await send(items, keyed('batch'));
    expect(statusesIn(again)).toEqual([202, 202, 202, 202]);
    expect(itemsIn(again).slice(0, 2)).toEqual(itemsIn(interrupted).slice(0, 2));
    expect((await stored()).ids).toHaveLength(4);
    expect((await stored()).balance).toBe(990);
    await host.audit();
  });
});
