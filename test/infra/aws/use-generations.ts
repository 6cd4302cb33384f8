/** Uses every generation in every way: as a dry run, past open circuits, repeated, and in a batch. */
import { expect } from 'vitest';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { liftLimits } from '../../../shared/domain/accounts/long-results.ts';
import { exampleBody } from '../../support/example-body.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';
import { openCircuits } from './open-circuits.ts';

type Call = (operationId: OperationId, options?: object) => Promise<TestResponse>;

interface Calls {
  readonly host: TestService;
  readonly account: TestAccount;
  readonly call: Call;
  readonly switchOperation: (operationId: string, on: boolean) => Promise<void>;
  readonly webhookDelivered: (taskId: string) => Promise<unknown>;
}

async function make(
  { host, call, switchOperation, webhookDelivered }: Calls,
  operationId: OperationId,
  headers: Record<string, string>,
): Promise<void> {
  const body = { ...exampleBody(operationId, host.engine.inputUrls), callbackUrl: host.receiver.url };
  const response = await call(operationId, { body, headers });
  expect(response.status, response.body.error?.message).toBe(202);
  await webhookDelivered((response.body.data as { taskId: string }).taskId);
  // The key is only looked up by a repeated request that does not reach its commit.
  await switchOperation(operationId, false);
  expect((await call(operationId, { body, headers })).status).toBe(202);
  await switchOperation(operationId, true);
}

/** Waits until each generation has ended. */
export async function useGenerations(calls: Calls): Promise<void> {
  const { host, account, call } = calls;
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  for (const { operationId, taskType } of Object.values(generateContracts)) {
    const body = exampleBody(operationId, host.engine.inputUrls);
    await openCircuits(host.service.context, account.accountId, taskType);
    await call(operationId, { body, headers: { 'x-dry-run': 'true' } });
    await make(calls, operationId, { 'idempotency-key': `all-${operationId}` });
  }
  // Results that are too long, and timeouts, limit an account to one open task whose price depends on a file.
  const lift = liftLimits(account.accountId, { at: host.clock.now(), reason: 'The engine of the test caused it.' });
  await host.service.context.table.transact([lift]);
  const items = Object.values(generateContracts).map(({ operationId: operation }) => ({
    operation,
    body: exampleBody(operation, host.engine.inputUrls),
  }));
  await openCircuits(host.service.context, account.accountId, 'voice');
  const response = await call('generateBatch', { body: { items }, headers: { 'idempotency-key': 'batch' } });
  // Some of the tasks whose price depends on a file are rejected, because others of them are open.
  const made = (response.body.data as { items: { data?: { taskId: string } }[] }).items.flatMap(
    ({ data }) => data ?? [],
  );
  await Promise.all(made.map(({ taskId }) => host.ended(account.token, taskId)));
}
