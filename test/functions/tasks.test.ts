/** Reading, listing and canceling tasks. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as contracts from '../../shared/contracts/task.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { taskKey } from '../../shared/domain/keys.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { eventually } from '../support/eventually.ts';
import { type Call, serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  host.engine.play({});
  account = await host.account();
});

const unknownId = '01939f3a-0000-7000-8000-000000000000';

const list = async (query: string, token = account.token) => {
  const response = await host.call('listTasks', { token, query });
  expect(response.status).toBe(200);
  return (response.body.data as { tasks: contracts.TaskSummary[] }).tasks;
};
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

const speakMany = async (count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await host.speak(account.token));
  return ids.toReversed();
};

test.for(['x', '0', `${unknownId}x`, unknownId.toUpperCase().replace('-7', '-4'), '..%2f', '%00', 'a b'])(
  'a request with the malformed task id %j gets 404',
  async (taskId) => {
    const response = await host.call('getTask', { token: account.token, params: { taskId } });
    expect(response.body.error?.code).toBe('NOT_FOUND');
  },
);

test('every result states the end of its storage period, as configured for the stage', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const task = await host.ended(account.token, await host.speak(account.token));
  const expiryAfter = (days: number) => new Date(Date.parse(task.createdAt) + days * 86_400_000).toISOString();
  expect(task.results).toMatchObject([{ expiresAt: expiryAfter(90) }]);
  const shorter = { [settingVariables.resultsRetentionDays]: '7' };
  const [listed] = await host.withEnvironment(shorter, () => list(''));
  expect(listed?.results).toMatchObject([{ expiresAt: expiryAfter(7) }]);
});

test('the engine’s charge is stored with its task, but is in no response, webhook or log line', async () => {
  const { context } = host.service;
  const micros = 918_273_645;
  await context.catalog.change('engine-prices', { 'offline/engine': { per: 'job', micros, charged: ['canceled'] } });
  const logged = vi.spyOn(process.stdout, 'write');
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const body = { text: 'Uma frase.', voice: 'lily', callbackUrl: host.receiver.url };
  const taskId = await host.withContext(
    { ...context, catalog: catalogStore(context.table, context.clock, () => ['offline']) },
    () => host.speak(account.token, body),
  );
  const shown = [await host.ended(account.token, taskId), await list('')];
  const events = await host.call('listTaskEvents', { token: account.token, params: { taskId } });
  await eventually('the webhook', () => host.receiver.of(taskId)[0]);
  expect((await context.tasks.find(taskId))?.engineCost).toBe(micros);
  const lines = logged.mock.calls.map(([line]) => String(line));
  logged.mockRestore();
  await context.catalog.change('engine-prices', { 'offline/engine': undefined });
  const seen = JSON.stringify([shown, events, host.receiver.of(taskId), lines]);
  expect(seen).toContain(taskId);
  for (const secret of [String(micros), 'engineCost', 'enginePrices', 'costMicros']) expect(seen).not.toContain(secret);
});

describe('the list of tasks', () => {
  test('goes from the newest task to the oldest, page by page, until a page is empty', async () => {
    const ids = await speakMany(5);
    expect(idsOf(await list(''))).toEqual(ids);
    expect(idsOf(await list('limit=2'))).toEqual(ids.slice(0, 2));
    expect(idsOf(await list('limit=2&offset=2'))).toEqual(ids.slice(2, 4));
    expect(await list('limit=2&offset=6')).toEqual([]);
  });

  test('omits the input and the webhook of each task', async () => {
    await host.speak(account.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
    const [task] = await list('');
    expect(task).not.toHaveProperty('input');
    expect(task).not.toHaveProperty('webhook');
  });

  test('can be filtered by status, type and reference, alone and together', async () => {
    const [third, second, first] = await speakMany(3);
    const referenced = await host.speak(account.token, undefined, { 'x-client-reference': 'order 7' });
    await host.call('cancelTask', { token: account.token, params: { taskId: first ?? '' } });
    expect(idsOf(await list('status=failed'))).toEqual([first]);
    expect(idsOf(await list('taskType=voice&status=failed'))).toEqual([first]);
    expect(idsOf(await list('clientReference=order%207'))).toEqual([referenced]);
    expect(await list('clientReference=order%207&status=failed')).toEqual([]);
    expect(await list('status=queued')).toEqual([]);
    expect(idsOf(await list(`ids=${first},${third},${unknownId}`))).toEqual([third, first]);
    expect(idsOf(await list(`ids=${first},${second}&status=failed`))).toEqual([first]);
  });

  test.for([
    ['limit=0', /^limit must be an integer between 1 and 100$/],
    ['limit=101', /^limit /],
    ['limit=', /^limit /],
    ['limit=1.5', /^limit /],
    ['limit=1e1', /^limit /],
    ['limit=-1', /^limit /],
    ['limit=1&limit=2', /^limit must be given once$/],
    ['offset=10001', /^offset must be an integer between 0 and 10000$/],
    ['status=done', /^status must be one of queued, pending, submitted, processing, completed, failed$/],
    ['taskType=video', /^taskType must be one of image, .*\bvoice\b/],
    ['ids=', /^ids must be 1 to 20 task ids/],
    [`ids=${Array.from({ length: 21 }, () => unknownId).join(',')}`, /^ids /],
    ['limit=x&offset=y', /^limit .*; offset /],
  ] as const)('rejects the query %s and states what is accepted', async ([query, message]) => {
    const response = await host.call('listTasks', { token: account.token, query });
    expect(response.status).toBe(400);
    expect(response.body.error?.message).toMatch(message);
  });

  test('ignores unknown query parameters', async () => {
    expect(await list('page=2&limit=10')).toEqual([]);
  });
});

describe('Retry-After', () => {
  const hintOf = async (operationId: 'getTask' | 'listTasks', call: Call) =>
    (await host.call(operationId, { token: account.token, ...call })).headers['retry-after'];
  const expected = (taskId: string, typicalMs: number) =>
    host.service.context.table.update({
      Key: taskKey(taskId),
      UpdateExpression: 'SET estimate = :estimate',
      ExpressionAttributeValues: { ':estimate': { typicalMs, spread: 0.05 } },
    });

  test('of an open task says when it is expected to end, and an ended task has none', async () => {
    const taskId = await host.speak(account.token);
    await expected(taskId, 20_000);
    // The clock runs, so that a second may have passed.
    expect(['20', '21']).toContain(await hintOf('getTask', { params: { taskId } }));
    host.clock.advance(100_000);
    expect(['20', '21']).toContain(await hintOf('getTask', { params: { taskId } }));
    await host.call('cancelTask', { token: account.token, params: { taskId } });
    expect(await hintOf('getTask', { params: { taskId } })).toBeUndefined();
  });

  test('of a list is that of the open task that is expected to end first', async () => {
    const [slow = '', fast = '', ended = ''] = await speakMany(3);
    await Promise.all([expected(slow, 25_000), expected(fast, 12_000), expected(ended, 1000)]);
    await host.call('cancelTask', { token: account.token, params: { taskId: ended } });
    const ids = (...some: string[]) => hintOf('listTasks', { query: `ids=${some.join(',')}` });
    expect(['12', '13']).toContain(await ids(slow, fast, ended));
    expect(['25', '26', '27']).toContain(await ids(slow, ended));
    expect(await ids(ended)).toBeUndefined();
  });
});

test('a cancellation requires the scope of the operation that created the task, and its rejection names that scope', async () => {
  const taskId = await host.speak(account.token);
  const other = await host.token(account.accountId, ['generate:image', 'generate:video', 'read:tasks']);
  const response = await host.call('cancelTask', { token: other.token, params: { taskId } });
  expect(response.status).toBe(403);
  expect(response.body.error?.message).toContain('generate:audio');
});

test('a cancellation succeeds even if the queue is down, and the next sweep sends the webhook', async () => {
  const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  const nowhere = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9', WEBHOOK_QUEUE_URL: 'http://127.0.0.1:9/0/webhooks' };
  const cancel = () => host.call('cancelTask', { token: account.token, params: { taskId } });
  const response = await host.withEnvironment(nowhere, cancel);
  expect(response.status).toBe(200);
  expect(response.body.data).toMatchObject({ status: 'failed', creditsRefunded: 1 });
  host.clock.advance(31_000);
  await host.service.invoke('sweepTasks', {});
  await eventually('the delivery', () => host.receiver.of(taskId)[0]);
});

describe('a cancellation, which needs no body,', () => {
  const headers = { 'content-type': 'application/json' };

  test.for<[string, string, RegExp]>([
    ['of 300 kB', JSON.stringify({ more: 'x'.repeat(300_000) }), /256 KiB/],
    ['that is malformed JSON', '{"a":', /valid JSON/],
    ['that is not an object', '[]', /JSON object/],
  ])('is rejected with a body %s, and leaves the task open', async ([, body, message]) => {
    const taskId = await host.speak(account.token);
    const response = await host.call('cancelTask', { token: account.token, params: { taskId }, headers, body });
    expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.body.error?.message).toMatch(message);
    expect((await host.task(account.token, taskId)).error).toBeUndefined();
  });

  test('needs no Content-Type, and ignores a body that is a JSON object', async () => {
    for (const call of [{}, { headers, body: '{"reason":"late"}' }]) {
      const taskId = await host.speak(account.token);
      expect((await host.call('cancelTask', { token: account.token, params: { taskId }, ...call })).status).toBe(200);
    }
  });
});
