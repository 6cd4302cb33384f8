/** Operators' commands: adjust credits, redeliver a webhook. */

import { ExitError } from '../../../infra/cli/exit-error.ts';
import type { Service } from '../../../infra/cli/service.ts';
import { webhookCommands } from '../../../infra/cli/webhook-commands.ts';
import { deliveryCheckMs, isTerminal } from '../../../shared/domain/tasks/task.ts';
import { engines } from '../../../shared/engines/engines.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import { webhookQueue } from '../../../shared/platform/queue.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { stepFunctions } from '../../../shared/platform/workflow.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import { givenTarget } from '../../infra/cli/given-target.ts';
import { ensure } from '../oracle/ensure.ts';
import type { SeenTask } from '../oracle/snapshot.ts';
import { countEvent, type World } from '../world/world.ts';
import { type Act, accountAt, commandOf, nthOf, taskAt } from './command.ts';
import { balanceOf, type Permit } from './model.ts';

/** Credits that are granted, or taken back. */
export const grant = commandOf(
  'grant',
  async (act, args: { account: number; amount: number }): Promise<Permit> => {
    const { world } = act;
    const { context, faults } = world;
    const account = accountAt(act, args.account);
    const { accountId } = account;
    const { amount } = args;
    const id = context.ids.next();
    const row = { id, accountId, amount, reason: 'adjustment', at: context.clock.now() } as const;
    const result = await context.accounts.post(row).catch((error: unknown) => {
      if (!faults.disturbed) throw error;
      return 'unknown' as const;
    });
    const expected = balanceOf(act.model, account) + amount >= 0 ? 'posted' : 'insufficient';
    ensure(result === 'unknown' || result === expected, 'credits move as the model says', { result, expected });
    const posted = (await world.snapshot()).ledger.some((one) => one.id === id);
    ensure(result === 'unknown' || posted === (result === 'posted'), 'what moved is in the ledger', row);
    if (posted) account.granted += amount;
    return {};
  },
  { needsTask: false },
);

/** The context of an operator's command. */
const operatorsService = (context: FullContext): Omit<Service, 'acting'> => ({
  ...context,
  engines: engines(context),
  queue: webhookQueue(context),
  subscriptionGateway: noSubscriptionGateway,
  webhookSecrets: webhookSecretsOf(context),
  workflow: stepFunctions(context),
});

type Redelivery = { readonly firstAttempt: number } | 'rejected' | 'unknown';

/** Runs the operator's own command. @throws {ExitError} if it rejects the task */
function redeliveryOf(taskId: string, service: Omit<Service, 'acting'>): Promise<{ readonly firstAttempt: number }> {
  const redeliver = webhookCommands.find(({ name }) => name === 'redeliver');
  if (!redeliver) throw new Error('operators have no command to redeliver webhooks');
  return redeliver.run({ task: taskId, reason: 'It failed.' }, givenTarget(service)) as Promise<{
    firstAttempt: number;
  }>;
}

/** A rejection is a valid outcome; a failed connection is not. */
export async function redelivered({ context, faults }: World, taskId: string): Promise<Redelivery> {
  const service = operatorsService(context);
  try {
    return await redeliveryOf(taskId, service);
  } catch (error) {
    if (error instanceof ExitError) return 'rejected';
    if (!faults.disturbed) throw error;
    return 'unknown';
  }
}

/** Requires that a new series of attempts is recorded, monitored and enqueued. */
async function ensureSeries({ world }: Act, taskId: string, first: number, firstAttempt: number): Promise<void> {
  ensure(firstAttempt === first, 'a redelivery begins the next series', { first, firstAttempt });
  const task = (await world.snapshot()).tasks.get(taskId);
  const nextCheckAt = world.clock.now() + deliveryCheckMs;
  const isOnRecord =
    task?.webhookStatus === 'pending' && task.webhookFrom === first && task.nextCheckAt === nextCheckAt;
  ensure(isOnRecord, 'a redelivery is on record and watched over', { task, first, nextCheckAt });
  const message = JSON.stringify({ taskId, attempt: first });
  ensure(
    world.queue.messages.some(({ body }) => body === message),
    'a redelivery is on its way',
    message,
  );
}

const mayBeRedelivered = (task: SeenTask): boolean =>
  isTerminal(task) && task.callbackUrl !== undefined && task.webhookStatus !== 'pending' && !task.deletion;

/** Starts another series of attempts at a webhook, if the previous one is over. */
export const redeliver = commandOf('redeliver', async (act, args: { task: number }): Promise<Permit> => {
  const { model, world } = act;
  // Webhooks that may not be redelivered are rarely selected.
  const settled = [...model.seen.tasks.values()].filter(mayBeRedelivered);
  const { taskId } = nthOf(settled, args.task) ?? taskAt(act, args.task);
  const task = model.seen.tasks.get(taskId);
  const attempts = model.seen.deliveries.get(taskId) ?? [];
  const result = await redelivered(world, taskId);
  countEvent(world.tally.events, typeof result === 'string' ? `redelivery ${result}` : 'redelivery');
  if (result === 'unknown') return {};
  const isRejected = task === undefined || !mayBeRedelivered(task);
  ensure((result === 'rejected') === isRejected, 'only what is over is redelivered', { task, result });
  // Each series has three attempts, even if the last ones were not needed: the number of its last attempt is divisible
  // by three.
  const latest = Math.max(task?.webhookFrom ?? 1, attempts.at(-1)?.attempt ?? 0);
  const first = Math.ceil(latest / 3) * 3 + 1;
  if (result !== 'rejected') await ensureSeries(act, taskId, first, result.firstAttempt);
  return {};
});
