/** Every generation operation with a test token, on a service without an engine and without credits of the account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { type ScriptedEngine, scriptedEngine } from '../support/scripted-engine.ts';
import { type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';
import { type BackEnd, newBackEnd, testBackEndOf } from './back-end.ts';
import { isCapable } from './target.ts';

let live: BackEnd;
let tests: BackEnd;
let receiver: WebhookReceiver;
/** An engine of which only the files are used, as inputs of requests. */
let host: ScriptedEngine;

beforeAll(async () => {
  [live, receiver, host] = await Promise.all([newBackEnd(5, 'business'), webhookReceiver(), scriptedEngine('no key')]);
  tests = await testBackEndOf(live);
});
afterAll(() => Promise.all([receiver.close(), host.close()]));

type Create = (request: { readonly body: object }) => Promise<{ readonly data: { readonly taskId: string } }>;

const create = async (operationId: OperationId, body: object): Promise<string> => {
  const operations = tests.api as unknown as Readonly<Record<string, Create>>;
  const { data } = (await operations[operationId]?.({ body })) ?? expect.fail('the client lacks the operation');
  return data.taskId;
};

const titled = { title: 'Caneca', description: 'Feita à mão.' };

describe.runIf(isCapable('local-webhooks', 'no-engines'))('with a test token, and without engines,', () => {
  test('every generation operation completes a task with stored results, and only test credits are spent', async () => {
    const { data: product } = await tests.api.createStudioProduct({
      body: { images: [host.inputUrls.image], ...titled },
    });
    const bodies = Object.values(generateContracts).map(({ operationId }) => ({
      operationId,
      body: {
        ...exampleBody(operationId, host.inputUrls),
        ...(operationId === 'generateStudioVideo' && { productId: product.id }),
      },
    }));
    const taskIds = await Promise.all(bodies.map(({ operationId, body }) => create(operationId, body)));
    const tasks = await eventually(
      'the end of all tasks',
      async () => {
        const { data } = await tests.api.listTasks({ query: { ids: taskIds.join(',') } });
        return data.tasks.every(({ status }) => status === 'completed' || status === 'failed') ? data.tasks : undefined;
      },
      { patienceMs: 180_000, everyMs: 3000 },
    );
    expect(tasks.map(({ error, status, test: isTest }) => [status, error, isTest])).toEqual(
      taskIds.map(() => ['completed', undefined, true]),
    );
    for (const { results = [] } of tasks) {
      expect(results.length).toBeGreaterThan(0);
      for (const { url, bytes } of results) expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(bytes);
    }
    const spent = tasks.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
    expect(await tests.balance()).toBe(10_000 - spent);
    expect(await live.ledger()).toEqual([[5, 'bonus']]);
    expect((await live.api.listTasks()).data.tasks).toEqual([]);
  });

  test.each([
    ['content_rejected', 'CONTENT_REJECTED'],
    ['provider_error', 'PROVIDER_ERROR'],
    ['provider_timeout', 'PROVIDER_TIMEOUT'],
    ['download_failed', 'DOWNLOAD_FAILED'],
    ['input_invalid', 'INPUT_INVALID'],
  ])('the test case %s fails a task with %s, refunds it and sends its webhook', async (name, code) => {
    const before = await tests.balance();
    const body = { text: `Olá! [test:${name}]`, voice: 'sarah', callbackUrl: receiver.url } as const;
    const { taskId } = (await tests.api.generateVoice({ body })).data;
    expect(await tests.ended(taskId)).toMatchObject({ status: 'failed', error: { code }, creditsRefunded: 1 });
    expect(await tests.balance()).toBe(before);
    const delivery = await eventually('the webhook', () => receiver.of(taskId)[0]);
    expect(JSON.parse(delivery.body)).toMatchObject({ event: 'task.failed', taskId, error: { code }, test: true });
  });

  test('a live token’s request is rejected without charge, because no engine can process it', async () => {
    const body = { text: 'Olá!', voice: 'sarah' } as const;
    await expect(live.api.generateVoice({ body })).rejects.toMatchObject({ code: 'GENERATION_FAILED' });
    expect(await live.ledger()).toEqual([[5, 'bonus']]);
  });

  test('requests about orders, subscriptions and the inbox are rejected', async () => {
    await expect(tests.api.listOrders()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(tests.api.getSubscription()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(tests.api.listConversations()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
