/**
 * A race between two actions on one task: the first action is paused at one of its requests to AWS until the second has
 * finished.
 */
import * as fc from 'fast-check';
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import { countEvent } from '../world/world.ts';
import { sweepMusts } from './background-commands.ts';
import { type Act, asking, commandOf, nthOf, taskAt } from './command.ts';
import { isOpen, type ModelTask, type Permit } from './model.ts';
import { redelivered } from './operator-commands.ts';
import { outcomes, reportOf, worksOn } from './workflow-commands.ts';

type Action = (act: Act, task: ModelTask) => Promise<unknown>;

const finalizing =
  (outcome: keyof typeof outcomes): Action =>
  ({ world }, task) =>
    world.invoke('finalize', { taskId: task.taskId, outcome: outcomes[outcome](task) });

const reporting =
  (report: 'running' | 'done' | 'failed', progress: number): Action =>
  ({ world }, task) =>
    world.callBack(task.taskId, reportOf(world, task, { report, progress }));

const actions = {
  finalizeDone: finalizing('done'),
  finalizeFailed: finalizing('failed'),
  settle: ({ world }, { taskId }) => world.invoke('settleExecution', { detail: { name: taskId, status: 'FAILED' } }),
  sweep: ({ world }) => world.invoke('sweepTasks', { everything: true }),
  async cancel(act, { accountId, taskId }) {
    const account = act.model.accounts.find((one) => one.accountId === accountId);
    if (!account) throw new Error('a task without an account');
    await asking(act, account, [(token) => act.world.host.call('cancelTask', { token, params: { taskId } })]);
  },
  async remove(act, { accountId, taskId }) {
    const account = act.model.accounts.find((one) => one.accountId === accountId);
    if (!account) throw new Error('a task without an account');
    await asking(act, account, [(token) => act.world.host.call('deleteTask', { token, params: { taskId } })]);
  },
  ask({ world }, { taskId }) {
    const execution = world.workflow.of(taskId);
    const token = execution?.status === 'RUNNING' ? world.workflow.issueToken(execution) : 'no waiting execution';
    return world.invoke('askEngine', { taskId, token });
  },
  reportRunning: reporting('running', 60),
  reportDone: reporting('done', 100),
  reportFailed: reporting('failed', 0),
  deliver({ model, world }, { taskId }) {
    const attempt = model.seen.tasks.get(taskId)?.webhookFrom ?? 1;
    return world.invoke('deliverWebhook', { Records: [{ messageId: 'm', body: JSON.stringify({ taskId, attempt }) }] });
  },
  redeliver: ({ world }, { taskId }) => redelivered(world, taskId),
} as const satisfies Record<string, Action>;

/** The request at which an action is paused: the first of its kind, or a later one. */
interface Stop {
  readonly at: 'TransactWriteItems' | 'UpdateItem' | 'PutItem' | 'GetItem' | 'PutObject' | 'DeleteObjects';
  readonly skip: number;
}

const [ending, firstUpdate, secondUpdate, tombstone]: readonly [Stop, Stop, Stop, Stop] = [
  { at: 'TransactWriteItems', skip: 0 },
  { at: 'UpdateItem', skip: 0 },
  { at: 'UpdateItem', skip: 1 },
  { at: 'PutItem', skip: 0 },
];

/**
 * For each action, the requests at which it can be paused: by then it has read data that may change before it writes.
 */
const stops: Readonly<Record<keyof typeof actions, readonly Stop[]>> = {
  finalizeDone: [ending, { at: 'PutObject', skip: 0 }],
  finalizeFailed: [ending],
  settle: [ending, firstUpdate],
  sweep: [ending, firstUpdate],
  cancel: [ending, secondUpdate],
  remove: [ending, firstUpdate, secondUpdate, tombstone, { at: 'PutItem', skip: 1 }, { at: 'DeleteObjects', skip: 0 }],
  ask: [firstUpdate, secondUpdate, { at: 'GetItem', skip: 0 }],
  reportRunning: [firstUpdate, secondUpdate],
  reportDone: [firstUpdate, secondUpdate],
  reportFailed: [firstUpdate],
  deliver: [firstUpdate, secondUpdate, { at: 'PutItem', skip: 0 }],
  redeliver: [firstUpdate],
};

export interface RaceArgs extends Stop {
  readonly task: number;
  readonly first: keyof typeof actions;
  readonly second: keyof typeof actions;
}

const actionNames = Object.keys(actions) as readonly (keyof typeof actions)[];

export const raceArgs: fc.Arbitrary<RaceArgs> = fc
  .record({
    task: fc.nat({ max: 30 }),
    first: fc.constantFrom(...actionNames),
    second: fc.constantFrom(...actionNames),
  })
  .chain((args) => fc.constantFrom(...stops[args.first]).map((stop) => ({ ...args, ...stop })));

const ways = (task: ModelTask): readonly TaskStatus[] => [...worksOn(task), 'completed', 'failed'];

export const race = commandOf('race', async (act, args: RaceArgs): Promise<Permit> => {
  const { world } = act;
  // Ended tasks are rarely selected.
  const task = nthOf([...act.model.tasks.values()].filter(isOpen), args.task) ?? taskAt(act, args.task);
  const open = isOpen(task) ? [[task.taskId, ways(task)] as const] : [];
  const sweeps = args.first === 'sweep' || args.second === 'sweep';
  const swept = sweeps ? [...sweepMusts(act, true)].map(([taskId, status]) => [taskId, [status]] as const) : [];
  world.setReceiverResponse(204);
  const standing = world.faults.hold(args.at, args.skip);
  const first: Promise<unknown> = actions[args.first](act, task);
  first.catch(() => undefined);
  const interrupted = await Promise.race([standing.reached.then(() => true), first.then(() => false)]);
  // If the first action never reached the request at which it was to be paused, the pause is removed, so that it does
  // not affect the second action.
  if (!interrupted) standing.release();
  countEvent(world.tally.events, interrupted ? 'race interrupted' : 'race in order');
  try {
    await actions[args.second](act, task);
  } finally {
    standing.release();
    await first;
  }
  const removes = args.first === 'remove' || args.second === 'remove';
  return { moves: new Map([...swept, ...open]), deletes: removes ? task.taskId : undefined };
});
