/** The price of images: returned by a dry run, debited once, and shown on the task. */
import { afterAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { imageHost } from '../support/image-host.ts';
import { testService } from '../support/test-service.ts';

const balanceAtFirst = 1_000_000;

const [host, images] = await Promise.all([testService(), imageHost()]);
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
const account = await host.account({ credits: balanceAtFirst });
afterAll(() => Promise.all([host.close(), images.close()]));

const addressed = (value: unknown): unknown => {
  if (typeof value === 'function') return (value as () => string)();
  return Array.isArray(value) ? value.map(addressed) : value;
};
const sent = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, addressed(value)]));

const balance = async () => (await host.service.context.accounts.find(account.accountId))?.balance ?? Number.NaN;

/** Requests are limited per minute. */
const post = (operationId: OperationId, body: object, headers = {}) => {
  host.clock.advance(2_000);
  return host.call(operationId, { token: account.token, body, headers });
};

async function priced(operationId: OperationId, body: object): Promise<number> {
  const before = await balance();
  const dry = await post(operationId, body, { 'x-dry-run': 'true' });
  const { cost } = dry.body.data as { cost: number };
  expect([dry.status, await balance()]).toEqual([200, before]);
  const response = await post(operationId, body);
  expect([response.status, before - (await balance())]).toEqual([202, cost]);
  const { taskId } = response.body.data as { taskId: string };
  host.clock.advance(2_000);
  expect(await host.ended(account.token, taskId)).toMatchObject({ status: 'completed', creditsUsed: cost });
  expect(before - (await balance())).toBe(cost);
  return cost;
}

describe('at the documented prices,', () => {
  test.for<[OperationId, Record<string, unknown>, number]>([
    ['generateImage', { prompt: 'um farol' }, 4],
    ['generateImage', { prompt: 'um farol', numImages: 4 }, 16],
    ['editImage', { imageUrl: () => images.url(), prompt: 'mais claro' }, 5],
    ['replaceCharacter', { imageUrl: () => images.url(), characterImage: () => images.url() }, 6],
    ['removeBackground', { imageUrl: () => images.url(), format: 'webp' }, 1],
    ['upscaleImage', { imageUrl: () => images.url() }, 2],
    ['upscaleImage', { imageUrl: () => images.url(), scale: 4 }, 4],
    ['generateInfluencer', { name: 'Ana', description: 'chef' }, 8],
    ['enhanceSkin', { imageUrl: () => images.url(), textureLevel: 100 }, 5],
  ])('%s with %j costs %i credits', async ([operationId, body, credits]) => {
    expect(await priced(operationId, sent(body))).toBe(credits);
  });

  test('the ledger audit finds no drift after all image tasks', () => host.audit());
});

test('an influencer is created once, when its task completes, and the completed task returns its id', async () => {
  const response = await post('generateInfluencer', { name: 'Ana', description: 'chef', ageRange: '26-35' });
  const { taskId } = response.body.data as { taskId: string };
  const task = await host.ended(account.token, taskId);
  expect(task.influencerId).toMatch(/^[0-9a-f-]{36}$/);
  expect(task.influencerId).not.toBe(taskId);
  const { table } = host.service.context;
  const key = { pk: `INFLUENCERS#${account.accountId}`, sk: task.influencerId ?? '' };
  expect(await table.get(key)).toMatchObject({
    name: 'Ana',
    description: 'chef',
    gender: 'auto',
    ageRange: '26-35',
    taskId,
    portraits: [expect.stringContaining(taskId)],
  });
});

test('an influencer whose task failed does not exist, and no id is returned', async () => {
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'no' } } }) });
  const response = await post('generateInfluencer', { name: 'Ana', description: 'chef' });
  const { taskId } = response.body.data as { taskId: string };
  const task = await host.ended(account.token, taskId);
  expect(task).toMatchObject({ status: 'failed', creditsRefunded: 8 });
  expect(task).not.toHaveProperty('influencerId');
  const influencerId = (await host.service.context.tasks.find(taskId))?.influencerId ?? '';
  expect(
    await host.service.context.table.get({ pk: `INFLUENCERS#${account.accountId}`, sk: influencerId }),
  ).toBeUndefined();
});

test('a task whose provider returns fewer images than requested fails and is refunded completely', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done({ ...job, input: { numImages: 2 } }) }) });
  const response = await post('generateImage', { prompt: 'um farol', numImages: 3 });
  const task = await host.ended(account.token, (response.body.data as { taskId: string }).taskId);
  expect(task).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' }, creditsRefunded: 12 });
});
