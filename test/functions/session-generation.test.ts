/** The dashboard's owner generates with a session: for the account, or in test mode for its test account. */
import { beforeEach, expect, test } from 'vitest';
import type { DashboardOperationId } from '../../shared/contracts/dashboard.ts';
import { testPurseCredits } from '../../shared/contracts/limits.ts';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { acceptsTests } from '../../shared/contracts/scopes.ts';
import { unknownUpload } from '../../shared/domain/files/account-inputs.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { callAsPage, giveSession, type PageCall } from '../support/given-session.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { sendForm, type Upload } from '../support/upload-file.ts';
import { clock, context, host, live, startTestModeScene } from './test-mode-scene.ts';

await startTestModeScene();

type Id = OperationId | DashboardOperationId;
interface Item {
  readonly status: number;
  readonly data?: { readonly taskId: string; readonly cost: number; readonly balance: number };
  readonly error?: { readonly code: string; readonly message: string };
}

const inTestMode = { 'x-test-mode': 'true' };
const sentence = { text: 'Uma frase curta.', voice: 'sarah' };

/** An owner who has no token. */
let accountId: string;
let cookie: string;
beforeEach(async () => {
  ({ accountId } = await host.account({ credits: 50 }));
  ({ cookie } = await giveSession(context, accountId));
});

const page = (id: Id, call: PageCall = {}) => callAsPage(host.url, id, { cookie, ...call });
const dataOf = async <Data>(id: Id, call: PageCall = {}) => (await page(id, call)).body.data as Data;

async function generate(body: Readonly<Record<string, unknown>>, headers: Record<string, string> = {}): Promise<Item> {
  const items = [{ operation: 'generateVoice', body }];
  const response = await page('generateBatch', { body: { items }, headers });
  const [item] = (response.body.data as { readonly items: readonly Item[] }).items;
  return item ?? expect.fail('the batch is empty');
}

const taskIds = async (headers = {}) =>
  (await dataOf<{ tasks: { id: string }[] }>('listTasks', { headers })).tasks.map(({ id }) => id);
const balance = async (headers = {}) => (await dataOf<{ balance: number }>('listCreditHistory', { headers })).balance;
const usage = async (headers = {}) =>
  (await dataOf<{ rows: object[] }>('getUsage', { query: 'groupBy=token', headers })).rows;

test('two requests of a session with one idempotency key create one task, at the dry run’s price, and usage names no token', async () => {
  expect(await generate(sentence, { 'x-dry-run': 'true' })).toMatchObject({
    status: 200,
    data: { cost: 1, balance: 50 },
  });
  const headers = { 'idempotency-key': 'sent twice' };
  const [first, repeated] = await Promise.all([generate(sentence, headers), generate(sentence, headers)]);
  expect([first.status, repeated]).toEqual([202, first]);
  expect(await taskIds()).toEqual([first.data?.taskId]);
  expect(await balance()).toBe(49);
  expect(await usage()).toEqual([{ token: null, tasks: 1, failed: 0, creditsUsed: 1, creditsRefunded: 0 }]);
  await page('cancelTask', { params: { taskId: first.data?.taskId ?? '' } });
  expect(await balance()).toBe(50);
  expect(await usage()).toMatchObject([{ token: null, failed: 1, creditsRefunded: 1 }]);
});

test('a task created in a session cannot have a webhook, which would lack the secret of a token', async () => {
  const refused = await generate({ ...sentence, callbackUrl: 'https://example.com/webhooks' });
  expect(refused).toMatchObject({
    status: 400,
    error: { message: expect.stringMatching(/^callbackUrl needs a token/) },
  });
  expect(await taskIds()).toEqual([]);
});

test('a session in test mode acts on the test account alone, once its owner has filled up the test credits', async () => {
  expect(await generate(sentence, inTestMode)).toMatchObject({
    status: 403,
    error: { message: 'There are no test credits yet: fill them up.' },
  });
  expect(await generate(sentence, { ...inTestMode, 'x-dry-run': 'true' })).toMatchObject({ status: 403 });
  await page('fillTestCredits');
  const key = { 'idempotency-key': 'the same in both modes' };
  const [tested, made] = [await generate(sentence, { ...key, ...inTestMode }), await generate(sentence, key)];
  expect([tested.status, made.status]).toEqual([202, 202]);
  const [ofTest, ofLive] = [tested.data?.taskId ?? '', made.data?.taskId ?? ''];
  expect([await taskIds(inTestMode), await taskIds()]).toEqual([[ofTest], [ofLive]]);
  expect([await balance(inTestMode), await balance()]).toEqual([testPurseCredits - 1, 49]);
  expect([await usage(inTestMode), await usage()]).toMatchObject([[{ tasks: 1 }], [{ tasks: 1 }]]);
  expect((await context.tasks.find(ofTest))?.accountId).toBe(testAccountOf(accountId));
  for (const id of ['getTask', 'cancelTask', 'deleteTask', 'redeliverWebhook'] as const) {
    expect((await page(id, { params: { taskId: ofTest } })).status, id).toBe(404);
    expect((await page(id, { params: { taskId: ofLive }, headers: inTestMode })).status, id).toBe(404);
  }
  const shown = await page('getTask', { params: { taskId: ofTest }, headers: inTestMode });
  expect(shown.headers['x-test-mode']).toBe('true');
  expect(shown.body.data).toMatchObject({ id: ofTest, test: true });
});

test('the text of a request in test mode can choose a failure, whose test credits are refunded', async () => {
  await page('fillTestCredits');
  const { data } = await generate({ ...sentence, text: '[test:content_rejected]' }, inTestMode);
  const params = { taskId: data?.taskId ?? '' };
  for (let status = 'pending'; status !== 'failed'; clock.advance(1000)) {
    ({ status } = await dataOf<{ status: string }>('getTask', { params, headers: inTestMode }));
  }
  expect(await dataOf('getTask', { params, headers: inTestMode })).toMatchObject({
    error: { code: 'CONTENT_REJECTED' },
    creditsRefunded: 1,
  });
  expect(await balance(inTestMode)).toBe(testPurseCredits);
});

test('a batch from a session has one request, because the rate limit of a session counts requests', async () => {
  const item = { operation: 'generateVoice', body: sentence };
  const { status, body } = await page('generateBatch', { body: { items: [item, item] }, headers: inTestMode });
  expect([status, body.error?.message]).toEqual([400, 'items must have exactly 1 entry if a session sends it']);
});

test('a session can use an uploaded file only in the mode, live or test, in which it was uploaded', async () => {
  await page('fillTestCredits');
  const file = tinyPng(40, 30);
  const declaration = { contentType: 'image/png', bytes: file.length };
  const declared = await dataOf<Upload>('createFile', { body: declaration, headers: inTestMode });
  expect(await sendForm(declared, file)).toMatchObject({ status: 204 });
  const body = { items: [{ operation: 'removeBackground', body: { imageUrl: declared.url } }] };
  const live = await page('generateBatch', { body });
  expect(live.body.data).toMatchObject({ items: [{ error: { message: `imageUrl ${unknownUpload}` } }] });
  const tested = await page('generateBatch', { body, headers: inTestMode });
  expect(tested.body.data).toMatchObject({ items: [{ status: 202 }] });
});

const withoutTests = Object.values<OperationContract>(registry).filter(
  ({ dashboard, scopes }) => dashboard && !acceptsTests(scopes),
);

test('operations that have no test mode for a token have none for a session', async () => {
  for (const { operationId, example } of withoutTests) {
    const call = { headers: inTestMode, ...(example.params && { params: example.params }) };
    const response = await page(operationId as OperationId, call);
    const refused = [operationId, 403, 'This operation has no test mode.'];
    expect([operationId, response.status, response.body.error?.message]).toEqual(refused);
  }
});

test('a session that asks for test mode in an unsupported way gets an error that says how to ask', async () => {
  for (const value of ['', '1', 'false', 'true, true']) {
    const response = await page('listTasks', { headers: { 'x-test-mode': value } });
    expect([response.status, response.body.error?.message]).toEqual([400, 'X-Test-Mode must be true, or absent']);
  }
});

test('a token has its own mode, live or test, which the header X-Test-Mode does not change', async () => {
  const taskId = await host.speak(live.token, sentence, inTestMode);
  expect((await context.tasks.find(taskId))?.accountId).toBe(live.accountId);
});
