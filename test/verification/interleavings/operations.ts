/** The operations that can run concurrently on one account. */

import * as fc from 'fast-check';
import { ExitError } from '../../../infra/cli/exit-error.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import { redeliveryOf } from '../model/operator-commands.ts';
import { outcomes, reportOf } from '../model/workflow-commands.ts';
import {
  type ClientResponse,
  callBack,
  create,
  deliver,
  type Order,
  request,
  type Scene,
  type StudioOrder,
  tokenFor,
} from './scene.ts';
import type { StagedTask } from './stages.ts';

/** The result of an operation, for the final checks. */
export type OperationResult =
  | { readonly kind: 'create'; readonly order: Order; readonly response: ClientResponse }
  | { readonly kind: 'cancel'; readonly taskId: string; readonly response: ClientResponse }
  | { readonly kind: 'grant'; readonly amount: number; readonly result: 'posted' | 'insufficient' | 'missing' }
  | { readonly kind: 'report'; readonly status: number }
  | { readonly kind: 'deliver'; readonly succeeded: boolean }
  | { readonly kind: 'ask'; readonly taskId: string }
  | {
      readonly kind: 'studio';
      readonly order: StudioOrder;
      readonly response: ClientResponse & { readonly id: string };
    }
  | { readonly kind: 'wait' | 'expire' | 'revoke' | 'redeliver' | 'other' };

/** `tasks` are those that were there before. */
export interface Operation {
  readonly name: string;
  perform(scene: Scene, tasks: readonly StagedTask[]): Promise<OperationResult>;
  toString(): string;
}

const nth = <Value>(values: readonly Value[], index: number): Value | undefined => values[index % values.length];

function taskAt(tasks: readonly StagedTask[], index: number): StagedTask {
  const task = nth(tasks, index);
  if (task === undefined) throw new Error('there is no task');
  return task;
}

const other = async (work: Promise<unknown>): Promise<OperationResult> => {
  await work;
  return { kind: 'other' };
};

type Perform<Args> = (args: Args, scene: Scene, tasks: readonly StagedTask[]) => Promise<OperationResult>;

export const operation = <Args>(
  name: string,
  args: fc.Arbitrary<Args>,
  perform: Perform<Args>,
): fc.Arbitrary<Operation> =>
  args.map((chosen) => ({
    name,
    perform: (scene, tasks) => perform(chosen, scene, tasks),
    toString: () => `${name}(${JSON.stringify(chosen)})`,
  }));

const task = fc.nat({ max: 1 });
const onTask = fc.record({ task });

const keys = ['k1', 'k2'] as const;

export const order: fc.Arbitrary<Order> = fc.record({
  key: fc.constantFrom(undefined, undefined, ...keys),
  cost: fc.constantFrom(1, 1, 2),
  webhook: fc.constantFrom(true, true, false),
});

export const creating = operation('create', order, async (args, scene) => {
  return { kind: 'create', order: args, response: await create(scene, args) };
});

export const canceling = operation('cancel', onTask, async (args, scene, tasks) => {
  const { taskId } = taskAt(tasks, args.task);
  return { kind: 'cancel', taskId, response: await request(scene, 'cancelTask', { params: { taskId } }) };
});

export const asking = operation('ask', onTask, async (args, scene, tasks) => {
  const { taskId } = taskAt(tasks, args.task);
  const token = await scene.gates.pass('wait for a token', async () => tokenFor(scene, taskId));
  await scene.functions.invoke('askEngine', { taskId, token });
  return { kind: 'ask', taskId };
});

const reportArgs = fc.record({
  task,
  report: fc.constantFrom('running', 'done', 'done', 'failed'),
  progress: fc.constantFrom(20, 60),
});

export const reporting = operation('report', reportArgs, async (args, scene, tasks) => {
  const staged = taskAt(tasks, args.task);
  return { kind: 'report', status: await callBack(scene, staged.taskId, reportOf(scene.world, staged, args)) };
});

const finalizeArgs = fc.record({ task, outcome: fc.constantFrom('done', 'failed', 'error') });

export const finalizing = operation('finalize', finalizeArgs, (args, { functions }, tasks) => {
  const staged = taskAt(tasks, args.task);
  return other(functions.invoke('finalize', { taskId: staged.taskId, outcome: outcomes[args.outcome](staged) }));
});

export const settling = operation('settle', onTask, async (args, { functions, gates, world }, tasks) => {
  const { taskId } = taskAt(tasks, args.task);
  await gates.pass('fail', async () => {
    const execution = world.workflow.of(taskId);
    if (execution?.status === 'RUNNING') execution.status = 'FAILED';
  });
  return other(functions.invoke('settleExecution', { detail: { name: taskId, status: 'FAILED' } }));
});

export const sweeping = operation('sweep', fc.record({ everything: fc.boolean() }), (args, { functions }) =>
  other(functions.invoke('sweepTasks', args)),
);

const deliverArgs = fc.record({ task, again: fc.boolean() });

/** A message that is due when the worker gets to it; or one that comes once more. */
async function receive({ gates, world }: Scene, taskId: string, again: boolean): Promise<string> {
  const { clock, context, queue } = world;
  return gates.pass('receive', async () => {
    const message = queue.messages.find(({ body, dueAt }) => dueAt <= clock.now() && body.includes(taskId));
    if (message && !again) queue.remove(message);
    if (message) return message.body;
    const task = await context.tasks.find(taskId);
    return JSON.stringify({ taskId, attempt: task?.webhookFrom ?? 1 });
  });
}

export const delivering = operation('deliver', deliverArgs, async (args, scene, tasks) => {
  const message = await receive(scene, taskAt(tasks, args.task).taskId, args.again);
  return { kind: 'deliver', succeeded: await deliver(scene, message) };
});

const grantArgs = fc.record({ amount: fc.constantFrom(-2, -1, 1, 2) });

export const granting = operation('grant', grantArgs, async ({ amount }, { accountId, world }) => {
  const { accounts, clock, ids } = world.context;
  const row = { id: ids.next(), accountId, amount, reason: 'adjustment', at: clock.now() } as const;
  return { kind: 'grant', amount, result: await accounts.post(row) };
});

export const revoking = operation('revoke', fc.constant({}), async (_args, { accountId, token, world }) => {
  const { clock, table } = world.context;
  await tokenStore(table).revoke(accountId, token.tokenId, clock.now());
  return { kind: 'revoke' };
});

export const redelivering = operation('redeliver', onTask, async (args, { ports, world }, tasks) => {
  const { context } = world;
  const service = {
    ...context,
    engines: ports.engines(context),
    queue: ports.queue(context),
    subscriptionGateway: noSubscriptionGateway,
    webhookSecrets: ports.webhookSecrets(context),
    workflow: ports.workflow(context),
  };
  await redeliveryOf(taskAt(tasks, args.task).taskId, service).catch((error: unknown) => {
    if (!(error instanceof ExitError)) throw error;
  });
  return { kind: 'redeliver' };
});

/** Time is an operation like the others: it goes by at any point of theirs. */
export const waiting = operation('wait', fc.record({ seconds: fc.constantFrom(31, 61, 1900) }), ({ seconds }, scene) =>
  scene.gates.pass('time goes by', async (): Promise<OperationResult> => {
    scene.world.clock.advance(seconds * 1000);
    return { kind: 'wait' };
  }),
);
