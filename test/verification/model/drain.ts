/** The end of a run: without further faults, every task must end, and every webhook must be delivered or abandoned. */

import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { isTestAccount } from '../../../shared/domain/test-account.ts';
import { ensure } from '../oracle/ensure.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import type { World } from '../world/world.ts';
import { commandOf } from './command.ts';
import { isOpen, type Model, type Permit } from './model.ts';
import { redeliver } from './operator-commands.ts';

/** A time after the deadline of every open task, and after the last erasure of every deleted one. */
const afterDeadlines = 93 * 60_000;
const roundMs = 61_000;
const rounds = 20;

async function deliverAll({ invoke, queue }: World): Promise<void> {
  for (const message of queue.messages) {
    queue.remove(message);
    const event = { Records: [{ messageId: 'm', body: message.body }] };
    const { batchItemFailures } = (await invoke('deliverWebhook', event)) as { batchItemFailures: unknown[] };
    if (batchItemFailures.length > 0) queue.put(message.body, 0);
  }
}

/** Only the sweeper and the queue act, as after a crash of everything else. */
async function settleEverything(world: World): Promise<void> {
  world.clock.advance(afterDeadlines);
  for (let round = 0; round < rounds; round += 1) {
    await world.invoke('sweepTasks', {});
    await deliverAll(world);
    const { tasks } = await world.snapshot();
    const watched = [...tasks.values()].some(({ nextCheckAt }) => nextCheckAt !== undefined);
    if (!watched && world.queue.messages.length === 0) return;
    world.clock.advance(roundMs);
  }
}

async function ensureEnds(world: World, { tasks, accounts }: Snapshot): Promise<void> {
  const files = await world.filesOf('');
  for (const task of tasks.values()) {
    ensure(isTerminal(task), 'every task ends', task);
    ensure(task.nextCheckAt === undefined, 'nothing is left to check', task);
    const left = task.deletion ? files.filter((key) => key.includes(task.taskId)) : [];
    ensure(left.length === 0, 'no file of a deleted task is left', { task, left });
    ensure(!task.callbackUrl || task.webhookStatus !== 'pending', 'every requested webhook is settled', task);
  }
  for (const account of accounts.values()) ensure(account.openTasks.length === 0, 'no slot is left over', account);
}

/** Runs the sweeper and the queue until nothing is left to do. */
const draining = commandOf(
  'drain',
  async ({ model, world }): Promise<Permit> => {
    const open = [...model.tasks.values()].filter(isOpen);
    await settleEverything(world);
    return { musts: new Map(open.map(({ taskId }) => [taskId, 'failed'] as const)) };
  },
  { needsTask: false },
);

/**
 * The receivers' responses to two series of attempts: the first one, and the one that an operator starts afterwards.
 */
export interface ReceiverResponses {
  readonly first: number;
  readonly second: number;
}

export async function drain(model: Model, world: World, { first, second }: ReceiverResponses): Promise<void> {
  for (const [response, prelude] of [[first], [second, redeliver({ task: 0 })]] as const) {
    world.setReceiverResponse(response);
    if (prelude?.check(model)) await prelude.run(model, world);
    await draining({}).run(model, world);
    await ensureEnds(world, model.seen);
  }
  const { audited, drifts } = (await world.invoke('auditLedger', {})) as { audited: number; drifts: unknown[] };
  const live = model.accounts.filter(({ accountId }) => !isTestAccount(accountId));
  ensure(audited === live.length && drifts.length === 0, 'the audit finds no drift', drifts);
}
