/** Tasks of test tokens: their test cases, results and webhooks, and that they leave no other trace. */
import { expect, test } from 'vitest';
import { testPurseCredits } from '../../shared/contracts/limits.ts';
import { circuitsPartition } from '../../shared/domain/keys.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { eventually } from '../support/eventually.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';
import { storedItems } from '../support/stored-items.ts';
import { context, data, ended, history, host, live, speak, startTestModeScene, tests } from './test-mode-scene.ts';

await startTestModeScene();

test('a test token’s request fails if its `[test:…]` is unknown or means a rejection; for a live token, it is plain text', async () => {
  const unavailable = await speak(tests, 'Olá [test:unavailable]');
  expect([unavailable.status, unavailable.headers['retry-after']]).toEqual([503, '30']);
  const unknown = await speak(tests, '[test:nothing]');
  expect([unknown.status, unknown.body.error?.message]).toEqual([400, expect.stringContaining('text contains a test')]);
  expect(await history(tests)).toMatchObject({ balance: testPurseCredits });
  expect((await speak(live, '[test:unavailable]')).status).toBe(202);
});

test('a request of a test token needs no configured engine', async () => {
  await host.withEnvironment({ [settingVariables.engines]: 'klap' }, async () => {
    expect((await speak(live, 'Um.')).status).toBe(502);
    expect((await speak(tests, 'Um.')).status).toBe(202);
  });
});

test('tasks of test tokens leave no trace in metrics and circuits, and their accounts are not listed', async () => {
  const metrics = recordedMetrics();
  await host.withContext({ ...context, metrics }, async () => {
    const body = { text: '[test:provider_error]', voice: 'sarah', callbackUrl: host.receiver.url };
    const taskId = await host.speak(tests.token, body);
    await ended(taskId);
    await eventually('the delivered webhook', async () =>
      (await context.tasks.find(taskId))?.webhookStatus === 'delivered' ? true : undefined,
    );
    for (let count = 0; count < 60; count += 1) await host.call('getProfile', { token: tests.token });
  });
  // Metrics of ages are left out, because schedules record them whatever happens.
  const names = metrics.recorded
    .flatMap(([values]) => Object.keys(values))
    .filter((name) => !name.startsWith('Oldest'));
  expect(names).toEqual([]);
  const circuits = [...(await storedItems(host.service.environment)).keys()].filter((key) =>
    key.startsWith(circuitsPartition),
  );
  expect(circuits).toEqual([]);
  expect(await Array.fromAsync(context.accounts.ids())).not.toContain(tests.accountId);
});

test('a test case that times out does not limit how many tasks with a price by file length the test account may have open', async () => {
  const request = {
    token: tests.token,
    body: { audioUrl: host.engine.inputUrls.audio, voice: 'sarah' },
    headers: { 'x-client-reference': '[test:provider_timeout]' },
  };
  const first = await host.call('changeVoice', request);
  expect(first.status, first.text).toBe(202);
  const { taskId } = first.body.data as { taskId: string };
  expect(await ended(taskId)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
  const others = [await host.call('changeVoice', request), await host.call('changeVoice', request)];
  expect(others.map(({ status }) => status)).toEqual([202, 202]);
});

test('a task of a test token completes with a stored result, and its webhook says that it is a test', async () => {
  const body = { text: 'Olá!', voice: 'sarah', callbackUrl: host.receiver.url };
  const [done, failed, ofLive] = [
    await host.speak(tests.token, body),
    await host.speak(tests.token, { ...body, text: '[test:content_rejected]' }),
    await host.speak(live.token, body),
  ];
  await data('cancelTask', live, { params: { taskId: ofLive } });
  const task = await ended(done);
  expect(task).toMatchObject({ status: 'completed', test: true });
  const result = await fetch(task.resultUrl ?? '');
  expect([result.status, result.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  await result.arrayBuffer();
  expect(await ended(failed)).toMatchObject({
    status: 'failed',
    error: { code: 'CONTENT_REJECTED' },
  });
  expect(await history(tests)).toMatchObject({ balance: testPurseCredits - 1 });
  const bodies = await Promise.all(
    [done, failed, ofLive].map((taskId) =>
      eventually(`the webhook of ${taskId}`, () => host.receiver.posts.get(taskId)?.[0]),
    ),
  );
  expect(bodies.map((text) => Object.entries(JSON.parse(text) as object).at(-1))).toEqual([
    ['test', true],
    ['test', true],
    ['timestamp', expect.any(String)],
  ]);
});

test('a webhook that a test case refuses has an attempt recorded, but nothing is sent', async () => {
  const body = { text: '[test:webhook_refused]', voice: 'sarah', callbackUrl: host.receiver.url };
  const taskId = await host.speak(tests.token, body);
  await ended(taskId);
  const attempts = await eventually('the first attempt', async () => {
    const { webhook } = await host.task(tests.token, taskId);
    return webhook?.attempts.length ? webhook.attempts : undefined;
  });
  expect(attempts[0]).toMatchObject({ statusCode: null, error: 'refused by the test case' });
  expect(host.receiver.posts.get(taskId)).toBeUndefined();
});
