/** The reference model: the expected state of accounts, tasks and keys, and the changes that a command may make. */
import { isDeepStrictEqual as same } from 'node:util';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import { idempotencyHours } from '../../../shared/domain/idempotency/idempotency.ts';
import { isTerminal, overdueMs } from '../../../shared/domain/tasks/task.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { ensure } from '../oracle/ensure.ts';
import { checkHistory, checkMoment } from '../oracle/invariants.ts';
import { ensureResults } from '../oracle/results.ts';
import type { SeenTask, Snapshot } from '../oracle/snapshot.ts';
import { countEvent, type World } from '../world/world.ts';

const dayMs = 86_400_000;

/** The daily credits of a test account, typed by hand. */
const purse = 10_000;

export interface ModelAccount {
  readonly accountId: string;
  /** The balance without the debits and refunds of tasks. */
  granted: number;
  token: string;
  /** How many requests the account's token has been used for. */
  requests: number;
}

export interface ModelTask extends Pick<SeenTask, 'taskType'> {
  readonly taskId: string;
  readonly accountId: string;
  readonly cost: number;
  status: TaskStatus;
  isDeleted?: boolean;
}

export interface StoredResponse {
  readonly text: string;
  readonly validUntil: number;
}

export interface Model {
  readonly accounts: readonly ModelAccount[];
  readonly tasks: Map<string, ModelTask>;
  /** The idempotency keys, by account and key. */
  readonly kept: Map<string, StoredResponse>;
  /** The table as it was after the last command. */
  seen: Snapshot;
}

export interface Births {
  readonly account: ModelAccount;
  readonly cost: number;
  readonly key?: string | undefined;
  readonly atMost: number;
}

/** The changes that a command may make; everything else must stay unchanged. */
export interface Permit {
  /** The states that tasks may enter, besides keeping their own. */
  readonly moves?: ReadonlyMap<string, readonly TaskStatus[]>;
  /** The states that tasks must have afterwards, unless there were more faults than the service can handle. */
  readonly musts?: ReadonlyMap<string, TaskStatus>;
  /**
   * A task that may be deleted by the command, and must be unless there were more faults than the service can handle.
   */
  readonly deletes?: string | undefined;
  readonly births?: Births;
  /** The number of tasks that must have been created, unless there were more faults than the service can handle. */
  readonly exactly?: number;
  /**
   * An account that requests a task. If it is a test account, the request tops up its daily credits when that is due.
   */
  readonly debits?: ModelAccount;
}

export const storedName = ({ accountId }: ModelAccount, key: string): string => `${accountId} ${key}`;

export const isOpen = (task: ModelTask): boolean => !isTerminal(task);

const tasksOf = (model: Model, { accountId }: ModelAccount): ModelTask[] =>
  [...model.tasks.values()].filter((task) => task.accountId === accountId);

export function balanceOf(model: Model, account: ModelAccount): number {
  const withoutCredits = tasksOf(model, account).filter(({ status }) => status !== 'failed');
  return account.granted - withoutCredits.reduce((sum, { cost }) => sum + cost, 0);
}

/** How many credits the next debit adds to an account first: those of a test account are topped up once a day (UTC). */
function fillOf(model: Model, { clock }: World, account: ModelAccount): number {
  const { filledAt } = model.seen.accounts.get(account.accountId) ?? {};
  const isDue = filledAt !== undefined && Math.floor(filledAt / dayMs) < Math.floor(clock.now() / dayMs);
  return isDue ? Math.max(0, purse - balanceOf(model, account)) : 0;
}

/** The number of tasks with a given price that an account can still create. */
export function roomFor(model: Model, world: World, account: ModelAccount, cost: number) {
  const open = tasksOf(model, account).filter(isOpen).length;
  const credits = balanceOf(model, account) + fillOf(model, world, account);
  return { byBalance: Math.floor(credits / cost), bySlots: simultaneousTasks - open };
}

/** Live accounts with these credits, and the test account of the first one, which starts with as many. */
export async function newModel(world: World, credits: readonly number[]): Promise<Model> {
  const accounts: ModelAccount[] = [];
  const add = async (accountId: string, granted: number) =>
    accounts.push({ accountId, granted, token: await world.newToken(accountId), requests: 0 });
  for (const granted of credits) await add(await world.newAccount(granted), granted);
  const [first] = accounts;
  const [granted = 0] = credits;
  await add(testAccountOf(first?.accountId ?? ''), granted);
  await world.adjust(testAccountOf(first?.accountId ?? ''), granted - purse);
  return { accounts, tasks: new Map(), kept: new Map(), seen: await world.snapshot() };
}

/** The effect of a sweep on an open task at a given time, if it checks the task. */
export function sweptTo(world: World, task: SeenTask): TaskStatus {
  if (world.clock.now() >= task.deadlineAt + overdueMs) return 'failed';
  return world.workflow.of(task.taskId)?.status === 'RUNNING' || !world.workflow.of(task.taskId)
    ? task.status
    : 'failed';
}

function adoptBirth(model: Model, seen: SeenTask, after: Snapshot, births: Births | undefined): void {
  const expected = births && [births.account.accountId, births.cost, births.key];
  const { taskId, accountId, taskType, cost, clientReference, status } = seen;
  ensure(
    JSON.stringify(expected) === JSON.stringify([accountId, cost, clientReference]),
    'a task appears only where one was asked for',
    { seen, expected },
  );
  model.tasks.set(taskId, { taskId, accountId, taskType, cost, status });
  const text = after.keys.find((row) => row.taskId === taskId)?.body;
  if (!births?.key || text === undefined) return;
  const validUntil = seen.createdAt + idempotencyHours * 3_600_000;
  model.kept.set(storedName(births.account, births.key), { text, validUntil });
}

/** Updates the daily credits of a test account, which only a request that the current command sent may have topped up. */
function followFill(model: Model, world: World, after: Snapshot, { debits }: Permit, strict: boolean): void {
  if (!debits) return;
  const { accountId } = debits;
  const fill = fillOf(model, world, debits);
  const [before, now] = [model.seen, after].map(({ accounts }) => accounts.get(accountId)?.filledAt);
  const isFilled = before !== now;
  if (isFilled) debits.granted += fill;
  if (fill > 0) countEvent(world.tally.events, isFilled ? 'purse filled' : 'purse not filled');
  const rows = after.ledger.filter((row) => row.accountId === accountId && row.reason === 'adjustment');
  const known = new Set(model.seen.ledger.map(({ id }) => id));
  const amounts = rows.filter(({ id }) => !known.has(id)).map(({ amount }) => amount);
  ensure(same(amounts, isFilled && fill > 0 ? [fill] : []), 'a purse is filled up once', { amounts, fill });
  ensure(!strict || isFilled || fill === 0, 'a purse that is due is filled up before its credits are used', debits);
}

/** Updates the model to the state of the table, if the command was allowed to cause it. */
function follow(model: Model, world: World, after: Snapshot, permit: Permit, strict: boolean): void {
  const born = [...after.tasks.values()].filter(({ taskId }) => !model.tasks.has(taskId));
  for (const task of model.tasks.values()) {
    const { taskId, status } = task;
    const is = after.tasks.get(taskId)?.status ?? status;
    const may = permit.moves?.get(taskId) ?? [];
    const must = permit.musts?.get(taskId);
    ensure(is === status || is === must || may.includes(is), 'a task moves only as it may', {
      taskId,
      status,
      is,
      may,
    });
    if (strict && must) ensure(is === must, 'a task becomes what it must', { taskId, status, is, must });
    const isDeleted = after.tasks.get(taskId)?.deletion !== undefined;
    ensure(task.isDeleted || !isDeleted || permit.deletes === taskId, 'a task is deleted only on request', { task });
    if (strict && permit.deletes === taskId) ensure(isDeleted, 'a request to delete a task deletes it', { task });
    if (isDeleted && !task.isDeleted) countEvent(world.tally.events, 'deleted');
    if (isDeleted) task.isDeleted = true;
    if (is !== status) countEvent(world.tally.events, `${is} ${after.tasks.get(taskId)?.errorCode ?? ''}`.trim());
    task.status = is;
  }
  ensure(born.length <= (permit.births?.atMost ?? 0), 'no more tasks appear than were asked for', born);
  if (strict) ensure(born.length === (permit.exactly ?? born.length), 'as many tasks appear as must', { permit, born });
  for (const seen of born) adoptBirth(model, seen, after, permit.births);
}

/**
 * Compares the table with the model after a command; strictly, unless there were more faults than the service can
 * handle.
 */
export async function agree(model: Model, world: World, permit: Permit, strict: boolean): Promise<void> {
  const after = await world.snapshot();
  checkHistory(model.seen, after);
  checkMoment(after, world.posts);
  followFill(model, world, after, permit, strict);
  follow(model, world, after, permit, strict);
  await ensureResults(world, model.seen, after);
  for (const account of model.accounts) {
    const stored = after.accounts.get(account.accountId)?.balance;
    const expected = balanceOf(model, account);
    ensure(stored === expected, 'a balance is what the model says', { accountId: account.accountId, stored, expected });
  }
  model.seen = after;
}
