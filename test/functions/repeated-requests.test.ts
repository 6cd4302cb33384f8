/** Idempotency keys and dry runs of the operation that generates a voice. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Call, serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 100 });
});

const body = { text: 'Uma frase curta.', voice: 'sarah' };

const post = (call: Call = {}) => host.call('generateVoice', { token: account.token, body, ...call });
const balance = async () => (await host.service.context.accounts.find(account.accountId))?.balance;
const tasks = () => host.service.context.tasks.ids(account.accountId, {}, { limit: 100, offset: 0 });
const taskIdIn = (response: { body: { data?: unknown } }) => (response.body.data as { taskId: string }).taskId;

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-1' };

  test('replays the first response byte for byte and debits once, also after the task has ended', async () => {
    const first = await post({ headers });
    const again = await post({ headers });
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['idempotent-body-mismatch']).toBeUndefined();
    await host.call('cancelTask', { token: account.token, params: { taskId: taskIdIn(first) } });
    expect((await post({ headers })).text).toBe(first.text);
    expect(await tasks()).toHaveLength(1);
    expect(await balance()).toBe(100);
  });

  test('returns the task’s Location with the first response and with every replay', async () => {
    const first = await post({ headers });
    const again = await post({ headers });
    const location = `/api/v1/tasks/${taskIdIn(first)}`;
    expect([first.headers.location, again.headers.location]).toEqual([location, location]);
    const response = await fetch(new URL(location, host.url), {
      headers: { authorization: `Bearer ${account.token}` },
    });
    expect(await response.json()).toMatchObject({ data: { id: taskIdIn(first) } });
    expect((await post({ headers: { 'x-dry-run': 'true' } })).headers.location).toBeUndefined();
  });

  test('leaves the Retry-After of a new task unchanged, and shortens that of a replay to one second', async () => {
    const [first, again] = [await post({ headers }), await post({ headers })];
    expect([first.headers['retry-after'], again.headers['retry-after']]).toEqual(['11', '1']);
    expect((await post({ headers: { 'x-dry-run': 'true' } })).headers['retry-after']).toBeUndefined();
  });

  test('replays the first response for any body, and marks the replay if the body differs', async () => {
    const first = await post({ headers });
    const other = await post({ headers, body: { ...body, text: 'Outra frase.' } });
    expect(other.text).toBe(first.text);
    expect(other.headers['idempotent-body-mismatch']).toBe('true');
    const sameInOtherOrder = await post({ headers, body: { voice: body.voice, text: body.text } });
    expect(sameInOtherOrder.headers['idempotent-body-mismatch']).toBeUndefined();
  });

  test('is valid for 24 hours', async () => {
    const first = await post({ headers });
    host.clock.advance(24 * 3_600_000 - 2000);
    expect((await post({ headers })).text).toBe(first.text);
    host.clock.advance(3000);
    const fresh = await post({ headers });
    expect(fresh.headers['idempotent-replayed']).toBeUndefined();
    expect(taskIdIn(fresh)).not.toBe(taskIdIn(first));
  });

  test('replays the first response while the operation is switched off', async () => {
    const first = await post({ headers });
    const { catalog } = host.service.context;
    await catalog.switchOperation('generateVoice', false);
    host.clock.advance(30_000);
    const again = await post({ headers });
    await catalog.switchOperation('generateVoice', true);
    host.clock.advance(30_000);
    expect(again.text).toBe(first.text);
  });

  test('works with another token of the account, but not with a token without the scope', async () => {
    const first = await post({ headers });
    const second = await host.token(account.accountId, ['generate:audio']);
    expect((await post({ headers, token: second.token })).text).toBe(first.text);
    const reader = await host.token(account.accountId, ['read:tasks']);
    expect((await post({ headers, token: reader.token })).status).toBe(403);
  });

  test('of a rejected request can be used again', async () => {
    expect((await post({ headers, body: { text: 'a', voice: 'unknown' } })).status).toBe(400);
    expect((await post({ headers })).headers['idempotent-replayed']).toBeUndefined();
  });

  test('may be 128 characters long, where an emoji counts as one', async () => {
    const keyOf = (text: string) => ({ 'idempotency-key': Buffer.from(text).toString('latin1') });
    expect((await post({ headers: keyOf('k'.repeat(128)) })).status).toBe(202);
    expect((await post({ headers: keyOf('🎈'.repeat(128)) })).status).toBe(202);
    expect((await post({ headers: keyOf('🎈'.repeat(129)) })).status).toBe(400);
  });
});

describe('a dry run with an Idempotency-Key', () => {
  const headers = { 'x-dry-run': 'true' };

  test('returns the cost of the request and leaves nothing behind', async () => {
    const long = { ...body, text: 'é'.repeat(120) };
    const quote = await post({ headers, body: long });
    expect(quote.status).toBe(200);
    expect(quote.body.data).toEqual({ cost: 3, balance: 100, operation: 'generateVoice' });
    expect(await tasks()).toEqual([]);
    const taskId = taskIdIn(await post({ body: long }));
    expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: 3 });
    expect(await balance()).toBe(97);
  });

  test('neither returns a stored response for the key nor stores its own', async () => {
    const keyed = { ...headers, 'idempotency-key': 'quote' };
    expect((await post({ headers: keyed })).status).toBe(200);
    const made = await post({ headers: { 'idempotency-key': 'quote' } });
    expect(made.headers['idempotent-replayed']).toBeUndefined();
    expect((await post({ headers: keyed })).status).toBe(200);
  });

  test('is rejected for every reason for which the real request would be rejected', async () => {
    const withoutStudio = await host.account({ credits: 0 });
    expect((await host.call('generateVoice', { token: withoutStudio.token, body, headers })).status).toBe(402);
    expect((await post({ headers, body: { text: 'a' } })).status).toBe(400);
    for (let count = 0; count < 20; count += 1) await host.speak(account.token);
    expect((await post({ headers })).body.error?.code).toBe('MAX_CONCURRENT_TASKS');
  });
});
