/** All components that may end a task do so concurrently, while transactions are lost and rejected. */
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { taskCommands } from '../../infra/cli/task-commands.ts';
import { stores } from '../../shared/domain/stores.ts';
import { engines } from '../../shared/engines/engines.ts';
import { noSubscriptionGateway } from '../../shared/gateways/no-subscription-gateway.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { givenTarget } from '../infra/cli/given-target.ts';
import { startScene } from './scene.ts';

const scene = await startScene();
afterAll(() => scene.host.close());

type Fault = 'none' | 'lost' | 'rejected';
const enders = ['cancel', 'complete', 'fail', 'settle', 'sweep', 'operator'] as const;

/** A lost transaction was committed; a rejected one was not. */
const faultyTable = (table: Table, faults: Fault[]): Table => ({
  ...table,
  async transact(actions) {
    const fault = faults.shift();
    if (fault === 'rejected') throw new Error('rejected');
    await table.transact(actions);
    if (fault === 'lost') throw new Error('lost');
  },
});

function failAsOperator(context: FullContext, taskId: string): Promise<unknown> {
  const command = taskCommands.find(({ name }) => name === 'fail');
  if (!command) throw new Error('operators cannot fail tasks');
  const [queue, workflow] = [webhookQueue(context), stepFunctions(context)];
  const service = {
    ...context,
    engines: engines(context),
    queue,
    subscriptionGateway: noSubscriptionGateway,
    workflow,
    webhookSecrets: webhookSecretsOf(context),
  };
  return command.run({ task: taskId, reason: 'It is stuck.' }, givenTarget(service));
}

async function race(some: readonly (typeof enders)[number][], faults: readonly Fault[]) {
  await scene.begin();
  const { account, host } = scene;
  const { context, invoke } = host.service;
  const taskId = await scene.speak();
  const job = await host.engine.jobOf(taskId);
  const { outputs } = host.engine.done(job) as { outputs: object[] };
  const verdicts: string[] = [];
  const circuits = {
    ...context.circuits,
    recordFailure: async () => verdicts.push('fails') === 0,
    recordSuccess: async () => void verdicts.push('works'),
  };
  const disturbed = { ...context, ...stores(faultyTable(context.table, [...faults]), context.clock), circuits };
  const cancel = () => host.call('cancelTask', { token: account.token, params: { taskId } });
  const ends = {
    cancel,
    complete: () => invoke('finalize', { taskId, outcome: { status: 'done', outputs } }),
    fail: () => invoke('finalize', { taskId, outcome: { status: 'failed', code: 'PROVIDER_ERROR' } }),
    settle: () => invoke('settleExecution', { detail: { name: taskId, status: 'FAILED' } }),
    sweep: () => invoke('sweepTasks', { everything: true }),
    operator: () => failAsOperator(disturbed, taskId),
  };
  await host.withContext(disturbed, () => Promise.allSettled(some.map((name) => ends[name]())));
  await cancel();
  return { taskId, verdicts };
}

test('a task that is ended concurrently ends once, with one slot freed, one webhook, and at most one refund and circuit result', async () => {
  const fault = fc.constantFrom<Fault>('none', 'none', 'lost', 'rejected');
  const some = fc.array(fc.constantFrom(...enders), { minLength: 2, maxLength: 8 });
  const property = fc.asyncProperty(some, fc.array(fault, { maxLength: 6 }), async (ends, faults) => {
    const { taskId, verdicts } = await race(ends, faults);
    const { account, host } = scene;
    await host.service.invoke('sweepTasks', { everything: true });
    const { status, error } = await host.ended(account.token, taskId);
    await scene.expectEnd(taskId, status as 'completed' | 'failed', error?.code);
    expect(verdicts.length).toBeLessThanOrEqual(1);
    const rows = await host.service.context.ledger.list(account.accountId, { limit: 100, offset: 0 });
    const amounts = rows.filter((row) => row.taskId === taskId).map(({ reason }) => reason);
    expect(amounts.toSorted()).toEqual(status === 'failed' ? ['generation', 'refund'] : ['generation']);
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});
