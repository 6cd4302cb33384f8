/** The audit of all accounts. */
import { expect, test } from 'vitest';
import { auditLedger } from '../../functions/background/audit-ledger.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();

const audit = () => host.service.invoke('auditLedger', {}) as Promise<{ audited: number; drifts: unknown[] }>;

test('the audit finds no drift in a service with consistent data', async () => {
  const account = await host.account();
  await host.speak(account.token);
  expect((await audit()).drifts).toEqual([]);
});

test('the audit reports no drift while an index of the tasks lags behind', async () => {
  const account = await host.account();
  const taskId = await host.speak(account.token);
  await host.service.context.table.update({
    Key: { pk: `TASK#${taskId}`, sk: 'TASK' },
    UpdateExpression: 'SET byStatePk = :elsewhere',
    ExpressionAttributeValues: { ':elsewhere': 'TASKS#unknown#open' },
  });
  expect((await audit()).drifts).toEqual([]);
});

test('a certificate for signing results that expires within 30 days is reported, and one that cannot be read is not', async () => {
  const { context } = host.service;
  const reported = async (daysLeft: () => Promise<number | undefined>) => {
    const metrics = recordedMetrics();
    await auditLedger({}, { ...context, contentCertificate: { daysLeft }, metrics });
    return metrics.recorded.some(([values]) => 'ContentCertificateEnding' in values);
  };
  expect(await reported(async () => 30.1)).toBe(false);
  expect(await reported(async () => 30)).toBe(true);
  expect(await reported(async () => -1)).toBe(true);
  expect(await reported(async () => undefined)).toBe(false);
  expect(await reported(() => Promise.reject(new Error('no secret is read now')))).toBe(false);
});

test('an audit resumes where the previous one ran out of time', async () => {
  for (let made = 0; made < 25; made += 1) await host.account();
  const { context } = host.service;
  const all = await Array.fromAsync(context.accounts.ids());
  const read: string[] = [];
  let now = context.clock.now();
  // Each account takes ten seconds, so one call reaches about thirty of them, not all.
  const accounts = {
    ...context.accounts,
    find: (accountId: string) => {
      now += 10_000;
      read.push(accountId);
      return context.accounts.find(accountId);
    },
  };
  const recorded: Record<string, number>[] = [];
  const slow = {
    ...context,
    contentCertificate: { daysLeft: async () => undefined },
    accounts,
    clock: { now: () => now },
    metrics: { ...context.metrics, record: (values: Record<string, number>) => void recorded.push(values) },
  };
  let calls = 0;
  for (let isComplete = false; !isComplete; calls += 1) {
    await auditLedger({}, slow);
    isComplete = recorded.at(-1)?.AccountsUnaudited !== undefined;
  }
  expect(calls).toBeGreaterThan(1);
  expect(new Set(read)).toEqual(new Set(all));
});
