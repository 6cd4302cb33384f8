/** Creating a voice task: the response and what is stored. */

import { beforeEach, describe, expect, test } from 'vitest';
import { pricesRow } from '../../shared/domain/catalog/prices-row.ts';
import { catalogKey } from '../../shared/domain/keys.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { type Call, serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 100 });
});

const body = { text: 'Uma frase curta.', voice: 'sarah' };

/** A valid body of a given size. */
const bodyOf = (bytes: number): string => {
  const empty = JSON.stringify({ ...body, more: '' });
  return JSON.stringify({ ...body, more: 'x'.repeat(bytes - empty.length) });
};

const post = (call: Call = {}) => host.call('generateVoice', { token: account.token, body, ...call });
const balance = async () => (await host.service.context.accounts.find(account.accountId))?.balance;
const tasks = () => host.service.context.tasks.ids(account.accountId, {}, { limit: 100, offset: 0 });
const taskIdIn = (response: { body: { data?: unknown } }) => (response.body.data as { taskId: string }).taskId;

test('a valid voice request gets 202, is debited once and is stored with its defaults', async () => {
  const response = await post({ body: { ...body, voice: 'SARAH', unknown: { extra: true } } });
  expect(response.status).toBe(202);
  expect(response.body).toEqual({ success: true, data: { taskId: expect.any(String), status: 'queued' } });
  const task = await host.task(account.token, taskIdIn(response));
  expect(task).toMatchObject({ taskType: 'voice', creditsUsed: 1, creditsRefunded: 0, progress: 0 });
  expect(task.input).toEqual({ text: body.text, voice: 'sarah', stability: 0.5, similarityBoost: 0.75 });
  expect(await balance()).toBe(99);
  const rows = await host.service.context.ledger.list(account.accountId, { limit: 10, offset: 0 });
  expect(rows[0]).toMatchObject({ amount: -1, reason: 'generation', taskType: 'voice', taskId: task.id });
  expect((await host.engine.jobOf(task.id)).input).toEqual(task.input);
});

test('a voice price that is changed in the catalog applies without a deployment', async () => {
  const { catalog, table } = host.service.context;
  await table.put({ Item: { ...catalogKey('prices'), voice: { charactersPerCredit: 4 } } });
  host.clock.advance(30_000);
  await catalog.read(pricesRow);
  const taskId = taskIdIn(await post());
  expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: 4 });
  await table.put({ Item: catalogKey('prices') });
  host.clock.advance(30_000);
});

test('a number in a voice request that is too close to zero for DynamoDB is stored as zero', async () => {
  const tiny = { stability: Number.MIN_VALUE, similarityBoost: 1e-163 };
  const response = await post({ body: { ...body, ...tiny } });
  expect(response.status).toBe(202);
  const { input } = await host.task(account.token, taskIdIn(response));
  expect(input).toMatchObject({ stability: 0, similarityBoost: 0 });
  const kept = taskIdIn(await post({ body: { ...body, stability: 1e-9 } }));
  expect((await host.task(account.token, kept)).input).toMatchObject({ stability: 1e-9 });
});

test('a voice request with Content-Encoding: identity is accepted', async () => {
  expect((await post({ headers: { 'content-encoding': 'Identity' } })).status).toBe(202);
});

test('a voice request with a body of 256 KiB is accepted', async () => {
  expect((await post({ body: bodyOf(256 * 1024) })).status).toBe(202);
});

test('a client reference with non-ASCII characters is stored and found unchanged', async () => {
  const reference = 'pedido ação nº 7 🎈';
  const headers = { 'x-client-reference': Buffer.from(reference).toString('latin1') };
  const taskId = taskIdIn(await post({ headers }));
  expect(await host.task(account.token, taskId)).toMatchObject({ clientReference: reference });
  const query = `clientReference=${encodeURIComponent(reference)}`;
  const found = await host.call('listTasks', { token: account.token, query });
  expect(found.body.data).toMatchObject({ tasks: [{ id: taskId }] });
});

describe('a voice request', () => {
  test.for<[string, Call, number, string, RegExp]>([
    [
      'with 50,000 nested arrays',
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
    [
      'with a compressed body',
      { headers: { 'content-encoding': 'gzip' } },
      400,
      'VALIDATION_ERROR',
      /^Content-Encoding must be identity$/,
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
      'with an empty idempotency key',
      { headers: { 'idempotency-key': '' } },
      400,
      'VALIDATION_ERROR',
      /^Idempotency-Key must/,
    ],
    [
      'with an idempotency key of 129 characters',
      { headers: { 'idempotency-key': 'k'.repeat(129) } },
      400,
      'VALIDATION_ERROR',
      /^Idempotency-Key must/,
    ],
    [
      'with an invalid X-Dry-Run header',
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
  ])('%s is rejected and stores nothing', async ([, call, status, code, message]) => {
    const response = await post(call);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ success: false, error: { code, message: expect.stringMatching(message) } });
    expect(await balance()).toBe(100);
    expect(await tasks()).toEqual([]);
  });

  test('without sufficient credits leaves nothing behind, not even its idempotency key', async () => {
    const withoutStudio = await host.account({ credits: 1 });
    const long = { ...body, text: 'a'.repeat(51) };
    const headers = { 'idempotency-key': 'later' };
    const rejected = await host.call('generateVoice', { token: withoutStudio.token, body: long, headers });
    expect(rejected.status).toBe(402);
    expect(rejected.body.error?.code).toBe('INSUFFICIENT_CREDITS');
    const afterwards = await host.call('generateVoice', { token: withoutStudio.token, body, headers });
    expect(afterwards.status).toBe(202);
    expect(afterwards.headers['idempotent-replayed']).toBeUndefined();
  });

  test('that lacks both sufficient credits and a free slot gets the error about credits', async () => {
    const withoutStudio = await host.account({ credits: 20 });
    for (let count = 0; count < 20; count += 1) await host.speak(withoutStudio.token);
    expect((await host.call('generateVoice', { token: withoutStudio.token, body })).status).toBe(402);
  });

  test('gets 503 while the operation is switched off, and 202 within 30 seconds after it is switched on again', async () => {
    const { catalog } = host.service.context;
    await catalog.switchOperation('generateVoice', false);
    host.clock.advance(30_000);
    const rejected = await post();
    expect(rejected.status).toBe(503);
    expect(rejected.body.error?.code).toBe('PROVIDER_UNAVAILABLE');
    await catalog.switchOperation('generateVoice', true);
    host.clock.advance(30_000);
    expect((await post()).status).toBe(202);
  });
});

test('a callback URL on this machine is accepted locally and rejected under the production rules', async () => {
  const local = { ...body, callbackUrl: host.receiver.url };
  expect((await post({ body: local })).status).toBe(202);
  const unresolvable = { ...body, callbackUrl: 'https://hooks.does-not-resolve.example/hook' };
  const [rejected, accepted] = await host.withEnvironment({ URL_POLICY: 'public' }, () =>
    Promise.all([post({ body: local }), post({ body: unresolvable })]),
  );
  expect(rejected.body.error?.message).toMatch(/^callbackUrl must be an https URL/);
  expect(accepted.status).toBe(202);
});

test('a voice request that no configured engine supports is rejected without charge', async () => {
  const response = await host.withEnvironment({ [settingVariables.engines]: 'bedrock' }, () => post());
  expect(response.status).toBe(502);
  expect(response.body.error).toEqual({
    code: 'GENERATION_FAILED',
    message: 'The generation could not be started: no engine is configured for this operation.',
  });
  expect(await balance()).toBe(100);
  expect(await tasks()).toEqual([]);
});
