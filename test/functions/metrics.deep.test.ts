/** The metrics of each function, recorded when they are due. */

import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { accountKey, taskKey } from '../../shared/domain/keys.ts';
import { metricUnits } from '../../shared/domain/metrics.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { deliveriesPerAccount, deliverySlots } from '../../shared/domain/webhooks/delivery-slots.ts';
import { eventually } from '../support/eventually.ts';
import { type RecordedMetrics, recordedMetrics } from '../support/recorded-metrics.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;
let metrics: RecordedMetrics;

const host = await serviceInTests();
beforeEach(async () => {
  metrics = recordedMetrics();
  host.service.bind({ ...host.service.context, metrics });
  host.engine.play({});
  account = await host.account();
});

/** An ended task, whose webhook is due. */
async function endedWithWebhook(): Promise<string> {
  const body = { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url };
  const taskId = await host.speak(account.token, body);
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  return taskId;
}

const recorded = (name: string) => metrics.recorded.filter(([values]) => name in values);

test('the metrics of an operation count a request over the rate limit as rejected, and no request within the limit', async () => {
  const asking = Array.from({ length: 61 }, () => host.call('getProfile', { token: account.token }));
  await Promise.all(asking);
  expect(metrics.recorded).toEqual([[{ RateLimitRejections: 1 }, { operation: 'getProfile' }]]);
});

test('the metrics count each webhook attempt by its outcome, and each abandoned webhook as well', async () => {
  host.receiver.respond((response, attempt) => void response.writeHead(attempt < 3 ? 500 : 404).end());
  await endedWithWebhook();
  await eventually('the end of the webhook', () => recorded('WebhooksExhausted')[0]);
  const failed = [{ WebhookAttempts: 1 }, { outcome: 'failed' }];
  expect(recorded('WebhookAttempts')).toEqual([failed, failed, failed]);
  host.receiver.respond((response) => void response.writeHead(200).end());
  await endedWithWebhook();
  const delivered = [{ WebhookAttempts: 1 }, { outcome: 'delivered' }];
  await eventually('the delivery', () => recorded('WebhookAttempts').find(([, by]) => by?.outcome === 'delivered'));
  expect(recorded('WebhookAttempts').at(-1)).toEqual(delivered);
});

test('the metrics count a webhook attempt that finds no free slot of its account as deferred', async () => {
  const { accountId } = account;
  const { host: receiver } = new URL(host.receiver.url);
  for (let taken = 0; taken < deliveriesPerAccount; taken += 1)
    await deliverySlots(host.service.context.table).acquire(
      { accountId, host: receiver, worker: `worker-${taken}` },
      host.clock.now(),
    );
  await endedWithWebhook();
  await eventually('the deferral', () => recorded('WebhooksDeferred')[0]);
  expect(recorded('WebhooksDeferred')[0]).toEqual([{ WebhooksDeferred: 1 }, { reason: 'full' }]);
  expect(recorded('WebhookAttempts')).toEqual([]);
});

test('every metric is documented in docs/alarms.md', () => {
  const list = readFileSync(new URL('../../docs/alarms.md', import.meta.url), 'utf8');
  for (const name of Object.keys(metricUnits)) expect(list).toContain(`\`${name}\``);
});

test('each sweep records the age of the oldest open task, not counting test tasks, or 0 if none is open', async () => {
  await eventually('an empty service', async () => {
    metrics.recorded.length = 0;
    await host.service.invoke('sweepTasks', {});
    return recorded('OldestOpenTaskAge')[0]?.[0].OldestOpenTaskAge === 0 ? true : undefined;
  });
  const { token } = await host.token(testAccountOf(account.accountId));
  await host.speak(token, { text: '[test:slow=120]', voice: 'bill' });
  host.clock.advance(90_000);
  const before = host.clock.now();
  const taskId = await host.speak(account.token);
  host.clock.advance(90_000);
  metrics.recorded.length = 0;
  await host.service.invoke('sweepTasks', {});
  const [[values] = [{}]] = recorded('OldestOpenTaskAge');
  expect(values.OldestOpenTaskAge).toBeGreaterThanOrEqual(90);
  expect(values.OldestOpenTaskAge).toBeLessThanOrEqual(Math.ceil((host.clock.now() - before) / 1000));
  await host.call('cancelTask', { token: account.token, params: { taskId } });
});

test('the audit records drift in credits and slots, and zeros without drift', async () => {
  await eventually('an audit without drift', async () => {
    metrics.recorded.length = 0;
    await host.service.invoke('auditLedger', {});
    const [[values] = [{}]] = recorded('LedgerDrift');
    return values.LedgerDrift === 0 && values.SlotDrift === 0 ? true : undefined;
  });
  metrics.recorded.length = 0;
  await host.service.context.table.update({
    Key: accountKey(account.accountId),
    UpdateExpression: 'ADD balance :minus, openTasks :slot',
    ExpressionAttributeValues: { ':minus': -7, ':slot': new Set(['01939f3a-0000-7000-8000-000000000000']) },
  });
  await host.service.invoke('auditLedger', {});
  expect(recorded('LedgerDrift')).toEqual([
    [{ LedgerDrift: 7, SlotDrift: 1, FigureDrift: 0, FiguresUnaudited: 0, AccountsUnaudited: 0 }],
  ]);
});

test('the audit records how many accounts it could not read, and audits all others', async () => {
  const { context } = host.service;
  const unreadable = { ...context.ledger, count: () => Promise.reject(new Error('no response')) };
  host.service.bind({ ...context, ledger: unreadable, metrics });
  const { audited } = (await host.service.invoke('auditLedger', {})) as { audited: number };
  expect(audited).toBe(0);
  const accounts = (await Array.fromAsync(context.accounts.ids())).length;
  expect(accounts).toBeGreaterThan(0);
  expect(recorded('AccountsUnaudited')).toMatchObject([[{ LedgerDrift: 0, AccountsUnaudited: accounts }]]);
});

test('the audit counts the accounts whose daily figures cannot be recounted, and still audits them', async () => {
  const { accountId, token } = account;
  await host.speak(token);
  await host.service.invoke('auditLedger', {});
  const { context } = host.service;
  const checkpoint = await context.audits.checkpoint(accountId);
  if (!checkpoint) throw new Error('the account was not audited');
  await context.audits.saveCheckpoint(accountId, { ...checkpoint, figuresDay: '2000-01-01' });
  // Only the recount reads deleted tasks as well.
  const findMany: typeof context.tasks.findMany = (ids, which) =>
    which ? Promise.reject(new Error('no response')) : context.tasks.findMany(ids);
  const clock = { now: () => context.clock.now() + 26 * 3_600_000 };
  host.service.bind({ ...context, clock, metrics, tasks: { ...context.tasks, findMany } });
  metrics.recorded.length = 0;
  await host.service.invoke('auditLedger', {});
  expect(recorded('FiguresUnaudited')).toMatchObject([[{ FiguresUnaudited: 1, AccountsUnaudited: 0 }]]);
});

test('an account with an open task that cannot be read is counted as unaudited, and all others are audited', async () => {
  const { context } = host.service;
  const taskId = await host.speak(account.token);
  // Without its slot, the task must be read by the audit.
  await context.table.update({
    Key: accountKey(account.accountId),
    UpdateExpression: 'DELETE openTasks :slot',
    ExpressionAttributeValues: { ':slot': new Set([taskId]) },
  });
  await context.table.update({
    Key: taskKey(taskId),
    UpdateExpression: 'SET cost = :none',
    ExpressionAttributeValues: { ':none': 'none' },
  });
  metrics.recorded.length = 0;
  const { audited } = (await host.service.invoke('auditLedger', {})) as { audited: number };
  expect(recorded('AccountsUnaudited')).toMatchObject([[{ AccountsUnaudited: 1 }]]);
  expect(audited).toBe((await Array.fromAsync(context.accounts.ids())).length - 1);
});

test('a message about an abandoned webhook that arrives twice is counted once in the metrics', async () => {
  host.receiver.respond((response) => void response.writeHead(500).end());
  const taskId = await endedWithWebhook();
  await eventually('the end of the webhook', () => recorded('WebhooksExhausted')[0]);
  await eventually('the recorded result', async () =>
    (await host.service.context.tasks.find(taskId))?.webhookStatus === 'failed' ? true : undefined,
  );
  metrics.recorded.length = 0;
  const body = JSON.stringify({ taskId, attempt: 3 });
  await host.service.invoke('deliverWebhook', { Records: [{ messageId: 'again', body }] });
  expect(metrics.recorded).toEqual([]);
  expect(host.receiver.of(taskId)).toHaveLength(3);
});
