/** Creating a voice task: what is answered and what is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogKey } from '../../shared/domain/keys.ts';
import { type Call, type TestAccount, type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let account: TestAccount;

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 100 });
});

const body = { text: 'Uma frase curta.', voice: 'sarah' };

/** A right body of so many bytes. */
const bodyOf = (bytes: number): string => {
  const empty = JSON.stringify({ ...body, more: '' });
  return JSON.stringify({ ...body, more: 'x'.repeat(bytes - empty.length) });
};

const post = (call: Call = {}) => host.call('generateVoice', { token: account.token, body, ...call });
const balance = async () => (await host.service.context.accounts.find(account.accountId))?.balance;
const tasks = () => host.service.context.tasks.ids(account.accountId, {}, { limit: 100, offset: 0 });
const taskIdIn = (answer: { body: { data?: unknown } }) => (answer.body.data as { taskId: string }).taskId;

test('a request is answered 202, debited once and kept with its defaults filled in', async () => {
  const answer = await post({ body: { ...body, voice: 'SARAH', unknown: { extra: true } } });
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ success: true, data: { taskId: expect.any(String), status: 'queued' } });
  const task = await host.task(account.token, taskIdIn(answer));
  expect(task).toMatchObject({ taskType: 'voice', creditsUsed: 1, creditsRefunded: 0, progress: 0 });
  expect(task.input).toEqual({ text: body.text, voice: 'sarah', stability: 0.5, similarityBoost: 0.75 });
  expect(await balance()).toBe(99);
  const rows = await host.service.context.ledger.list(account.accountId, { limit: 10, offset: 0 });
  expect(rows[0]).toMatchObject({ amount: -1, reason: 'generation', taskType: 'voice', taskId: task.id });
  expect((await host.engine.jobOf(task.id)).input).toEqual(task.input);
});

test('the price comes from the catalog, without a deploy', async () => {
  const { catalog, table } = host.service.context;
  await table.put({ Item: { ...catalogKey('prices'), voice: { charactersPerCredit: 4 } } });
  host.clock.advance(30_000);
  await catalog.read();
  const taskId = taskIdIn(await post());
  expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: 4 });
  await table.put({ Item: catalogKey('prices') });
  host.clock.advance(30_000);
});

test('a number nearer to zero than the table can keep is the zero that it means', async () => {
  const tiny = { stability: Number.MIN_VALUE, similarityBoost: 1e-163 };
  const answer = await post({ body: { ...body, ...tiny } });
  expect(answer.status).toBe(202);
  const { input } = await host.task(account.token, taskIdIn(answer));
  expect(input).toMatchObject({ stability: 0, similarityBoost: 0 });
  const kept = taskIdIn(await post({ body: { ...body, stability: 1e-9 } }));
  expect((await host.task(account.token, kept)).input).toMatchObject({ stability: 1e-9 });
});

test('a body may have 256 KiB', async () => {
  expect((await post({ body: bodyOf(256 * 1024) })).status).toBe(202);
});

test('what a client writes into a header in UTF-8 is what it finds again', async () => {
  const reference = 'pedido ação nº 7 🎈';
  const headers = { 'x-client-reference': Buffer.from(reference).toString('latin1') };
  const taskId = taskIdIn(await post({ headers }));
  expect(await host.task(account.token, taskId)).toMatchObject({ clientReference: reference });
  const query = `clientReference=${encodeURIComponent(reference)}`;
  const found = await host.call('listTasks', { token: account.token, query });
  expect(found.body.data).toMatchObject({ tasks: [{ id: taskId }] });
});

describe('a refused request', () => {
  test.for<[string, Call, number, string, RegExp]>([
    ['without a text', { body: { voice: 'sarah' } }, 400, 'VALIDATION_ERROR', /^text is required$/],
    ['without a voice', { body: { text: 'a' } }, 400, 'VALIDATION_ERROR', /^voice or voiceId is required$/],
    ['with an empty text', { body: { ...body, text: '' } }, 400, 'VALIDATION_ERROR', /^text must be a string of 1 to/],
    [
      'with a text of 2,001 characters',
      { body: { ...body, text: '🎈'.repeat(2001) } },
      400,
      'VALIDATION_ERROR',
      /^text /,
    ],
    ['with an unknown voice', { body: { ...body, voice: 'nobody' } }, 400, 'VALIDATION_ERROR', /aria.*bill/],
    [
      'with a valid voiceId beside an unknown voice',
      { body: { ...body, voice: 'nobody', voiceId: 'x' } },
      400,
      'VALIDATION_ERROR',
      /^voice must be one of/,
    ],
    [
      'with two problems',
      { body: { voice: 'sarah', stability: 2, similarityBoost: '1' } },
      400,
      'VALIDATION_ERROR',
      /^text is required; stability must be a number between 0 and 1; similarityBoost must be/,
    ],
    ['with null for a voice id', { body: { ...body, voiceId: null } }, 400, 'VALIDATION_ERROR', /^voiceId must be/],
    ['with half a character', { body: '{"text":"\\ud83d","voice":"sarah"}' }, 400, 'VALIDATION_ERROR', /^text must/],
    ['with an array', { body: '[]' }, 400, 'VALIDATION_ERROR', /JSON object/],
    ['with broken JSON', { body: '{"text":' }, 400, 'VALIDATION_ERROR', /valid JSON/],
    ['with nothing', { body: '' }, 400, 'VALIDATION_ERROR', /valid JSON/],
    [
      'with deep nonsense',
      { body: `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
      400,
      'VALIDATION_ERROR',
      /text/,
    ],
    [
      'as plain text',
      { headers: { 'content-type': 'text/plain' } },
      400,
      'VALIDATION_ERROR',
      /^Content-Type must be application\/json$/,
    ],
    ['with 256 KiB and a byte', { body: bodyOf(256 * 1024 + 1) }, 400, 'VALIDATION_ERROR', /256 KiB/],
    [
      'with a private callback address',
      { body: { ...body, callbackUrl: 'https://10.0.0.1/hook' } },
      400,
      'VALIDATION_ERROR',
      /^callbackUrl must be an https URL of a public host/,
    ],
    [
      'with a callback over plain http',
      { body: { ...body, callbackUrl: 'http://example.com/hook' } },
      400,
      'VALIDATION_ERROR',
      /^callbackUrl /,
    ],
    ['with an empty key', { headers: { 'idempotency-key': '' } }, 400, 'VALIDATION_ERROR', /^Idempotency-Key must/],
    [
      'with a key of 129 characters',
      { headers: { 'idempotency-key': 'k'.repeat(129) } },
      400,
      'VALIDATION_ERROR',
      /^Idempotency-Key must/,
    ],
    [
      'with a strange dry run',
      { headers: { 'x-dry-run': 'yes' } },
      400,
      'VALIDATION_ERROR',
      /^X-Dry-Run must be one of/,
    ],
    [
      'with a client reference of 129 characters',
      { headers: { 'x-client-reference': 'r'.repeat(129) } },
      400,
      'VALIDATION_ERROR',
      /^X-Client-Reference must/,
    ],
  ])('%s leaves nothing behind', async ([, call, status, code, message]) => {
    const answer = await post(call);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ success: false, error: { code, message: expect.stringMatching(message) } });
    expect(await balance()).toBe(100);
    expect(await tasks()).toEqual([]);
  });

  test('for want of credits leaves nothing behind, its key included', async () => {
    const poor = await host.account({ credits: 1 });
    const long = { ...body, text: 'a'.repeat(51) };
    const headers = { 'idempotency-key': 'later' };
    const refused = await host.call('generateVoice', { token: poor.token, body: long, headers });
    expect(refused.status).toBe(402);
    expect(refused.body.error?.code).toBe('INSUFFICIENT_CREDITS');
    const afterwards = await host.call('generateVoice', { token: poor.token, body, headers });
    expect(afterwards.status).toBe(202);
    expect(afterwards.headers['idempotent-replayed']).toBeUndefined();
  });

  test('for want of credits and of slots is told of the credits', async () => {
    const poor = await host.account({ credits: 20 });
    for (let count = 0; count < 20; count += 1) await host.speak(poor.token);
    expect((await host.call('generateVoice', { token: poor.token, body })).status).toBe(402);
  });

  test('of an operation that is switched off is 503, and within 30 s of switching it on it is not', async () => {
    const { catalog } = host.service.context;
    await catalog.switchOperation('generateVoice', false);
    host.clock.advance(30_000);
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.body.error?.code).toBe('PROVIDER_UNAVAILABLE');
    await catalog.switchOperation('generateVoice', true);
    host.clock.advance(30_000);
    expect((await post()).status).toBe(202);
  });
});

describe('an idempotency key', () => {
  const headers = { 'idempotency-key': 'order-1' };

  test('replays the first answer to the byte and debits once, also after the task has failed', async () => {
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

  test('replays whatever the body, and says that it differs', async () => {
    const first = await post({ headers });
    const other = await post({ headers, body: { ...body, text: 'Outra frase.' } });
    expect(other.text).toBe(first.text);
    expect(other.headers['idempotent-body-mismatch']).toBe('true');
    const sameInOtherOrder = await post({ headers, body: { voice: body.voice, text: body.text } });
    expect(sameInOtherOrder.headers['idempotent-body-mismatch']).toBeUndefined();
  });

  test('stands for 24 hours and not a second longer', async () => {
    const first = await post({ headers });
    host.clock.advance(24 * 3_600_000 - 2000);
    expect((await post({ headers })).text).toBe(first.text);
    host.clock.advance(3000);
    const fresh = await post({ headers });
    expect(fresh.headers['idempotent-replayed']).toBeUndefined();
    expect(taskIdIn(fresh)).not.toBe(taskIdIn(first));
  });

  test('replays also while the operation is switched off', async () => {
    const first = await post({ headers });
    const { catalog } = host.service.context;
    await catalog.switchOperation('generateVoice', false);
    host.clock.advance(30_000);
    const again = await post({ headers });
    await catalog.switchOperation('generateVoice', true);
    host.clock.advance(30_000);
    expect(again.text).toBe(first.text);
  });

  test('works for another token of the account, and not for a token without the scope', async () => {
    const first = await post({ headers });
    const second = await host.token(account.accountId, ['generate:audio']);
    expect((await post({ headers, token: second.token })).text).toBe(first.text);
    const reader = await host.token(account.accountId, ['read:tasks']);
    expect((await post({ headers, token: reader.token })).status).toBe(403);
  });

  test('of a refused request is free', async () => {
    expect((await post({ headers, body: { text: 'a', voice: 'nobody' } })).status).toBe(400);
    expect((await post({ headers })).headers['idempotent-replayed']).toBeUndefined();
  });

  test('may be 128 characters long, an emoji counting as one', async () => {
    const keyOf = (text: string) => ({ 'idempotency-key': Buffer.from(text).toString('latin1') });
    expect((await post({ headers: keyOf('k'.repeat(128)) })).status).toBe(202);
    expect((await post({ headers: keyOf('🎈'.repeat(128)) })).status).toBe(202);
    expect((await post({ headers: keyOf('🎈'.repeat(129)) })).status).toBe(400);
  });
});

describe('a dry run', () => {
  const headers = { 'x-dry-run': 'true' };

  test('tells the cost that the request then has, and leaves nothing behind', async () => {
    const long = { ...body, text: 'é'.repeat(120) };
    const quote = await post({ headers, body: long });
    expect(quote.status).toBe(200);
    expect(quote.body.data).toEqual({ cost: 3, balance: 100, operation: 'generateVoice' });
    expect(await tasks()).toEqual([]);
    const taskId = taskIdIn(await post({ body: long }));
    expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: 3 });
    expect(await balance()).toBe(97);
  });

  test('neither reads nor stores the answer of a key', async () => {
    const keyed = { ...headers, 'idempotency-key': 'quote' };
    expect((await post({ headers: keyed })).status).toBe(200);
    const made = await post({ headers: { 'idempotency-key': 'quote' } });
    expect(made.headers['idempotent-replayed']).toBeUndefined();
    expect((await post({ headers: keyed })).status).toBe(200);
  });

  test('refuses what the request would be refused', async () => {
    const poor = await host.account({ credits: 0 });
    expect((await host.call('generateVoice', { token: poor.token, body, headers })).status).toBe(402);
    expect((await post({ headers, body: { text: 'a' } })).status).toBe(400);
    for (let count = 0; count < 20; count += 1) await host.speak(account.token);
    expect((await post({ headers })).body.error?.code).toBe('MAX_CONCURRENT_TASKS');
  });
});

test('an address of this machine is admitted locally, and refused under the production rules', async () => {
  const local = { ...body, callbackUrl: host.receiver.url };
  expect((await post({ body: local })).status).toBe(202);
  const unresolvable = { ...body, callbackUrl: 'https://hooks.does-not-resolve.example/hook' };
  const [refused, admitted] = await host.withEnvironment({ URL_POLICY: 'public' }, () =>
    Promise.all([post({ body: local }), post({ body: unresolvable })]),
  );
  expect(refused.body.error?.message).toMatch(/^callbackUrl must be an https URL/);
  expect(admitted.status).toBe(202);
});
