/**
 * Stores engine jobs: one row for both an execution's token and the job's outcome. Whichever is written second finds
 * the other, so neither is lost whatever the order.
 */
import type { Outcome } from '../../contracts/workflow.ts';
import type { EngineAcceptance } from '../../engines/engine.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { jobKey, jobNameOf, jobsOf } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { eraseSoon } from '../tasks/deleted-task-store.ts';
import { EngineJobState, type JobId, mainJob } from './engine-job.ts';

/** The terms on which an engine accepted a job. */
export interface Acceptance extends Omit<EngineAcceptance, 'status'> {
  readonly engine: string;
  readonly deadlineAt: number;
}

export interface EngineJobStore {
  /** Finds a job; returns an empty state if there is none. */
  find(job: JobId): Promise<EngineJobState>;
  /** All jobs of a task, with their names. */
  list(taskId: string): Promise<(EngineJobState & JobId)[]>;
  /** Like `list`, but a job that cannot be read is reported, and counts as one that failed and cost nothing. */
  listReadable(taskId: string): Promise<(EngineJobState & JobId)[]>;
  recordToken(job: JobId, token: string, now: number): Promise<EngineJobState>;
  /** Records a submission unless one is already recorded; returns the state, which may hold another reference. */
  recordAcceptance(job: JobId, acceptance: Acceptance): Promise<EngineJobState>;
  /** Replaces the job's reference, unless it has changed in the meantime. */
  recordReference(job: JobId, references: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Records that the engine no longer knows the job with this reference; undefined if the job's reference has changed
   * or was removed in the meantime.
   */
  recordLoss(job: JobId, reference: string): Promise<EngineJobState | undefined>;
  /** Records that the copies of the task's input files are complete. */
  recordInputs(job: JobId, keys: readonly string[]): Promise<void>;
  /** Records an outcome and its cost; the first ones are final. Returns the job's state. */
  recordOutcome(job: JobId, outcome: Outcome, now: number, costMicros?: number): Promise<EngineJobState>;
  /**
   * Adds to the cost of a job that is done in parts, the first of which names its engine; false if its task has ended, or
   * the job was erased.
   */
  addCost(job: JobId, engine: string, costMicros: number): Promise<boolean>;
  /** Replaces the jobs of a deleted task, which from then on are canceled and never change again. */
  erase(taskId: string, now: number): Promise<void>;
}

/** Rows are kept far beyond their task's deadline, for late callbacks. */
const retentionSeconds = 7 * 24 * 3600;

const expiryAt = (now: number): number => Math.floor(now / 1000) + retentionSeconds;

type Change = [job: JobId, expression: string, values: Item, condition?: string];

/** The condition that the job's task is not deleted. */
const unerased = 'attribute_not_exists(#erased)';

/**
 * Changes a job and returns its state. The job of a deleted task does not change, and what was stored for the change is
 * erased again.
 */
async function updateJob(table: Table, ...[job, expression, values, given]: Change): Promise<EngineJobState> {
  const condition = given === undefined ? unerased : `${given} AND ${unerased}`;
  const names = [...new Set(`${expression} ${condition}`.match(/#\w+/g))];
  const change = table.update({
    Key: jobKey(job.taskId, job.name),
    UpdateExpression: expression,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
    ConditionExpression: condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const item = await change.catch(async (error: unknown) => {
    if (!(error instanceof ConditionFailed) || error.item?.erased === undefined) throw error;
    await eraseSoon(table, job.taskId);
    return error.item;
  });
  return EngineJobState().parse(item);
}

const canceled: Outcome = { status: 'failed', code: 'CANCELED' };

/** What remains of an erased job: a marker that prevents its creation, and for operators what it cost. */
const eraseJob = (table: Table, job: JobId, { engine, costMicros }: EngineJobState, now: number): Promise<void> =>
  table.put({
    Item: {
      ...jobKey(job.taskId, job.name),
      erased: true,
      outcome: canceled,
      expiresAt: expiryAt(now),
      engine,
      costMicros,
    },
  });

/**
 * Erases all jobs. The main job may be created by a callback, so it is replaced even if it does not exist yet; all others
 * are created by steps, which find the task deleted before they store anything else in them.
 */
async function eraseJobs(table: Table, taskId: string, now: number): Promise<void> {
  const rows = await Array.fromAsync(table.walk({ ...jobsOf(taskId), ConsistentRead: true }));
  const jobs = new Map([[mainJob, {}], ...rows.map((row) => [jobNameOf(row), EngineJobState().parse(row)] as const)]);
  await Promise.all([...jobs].map(([name, state]) => eraseJob(table, { taskId, name }, state, now)));
}

/** An unreadable job must not prevent the end of its task, by which the task is refunded. */
function readableState(table: Table, row: Item): EngineJobState {
  try {
    return parseRow('engine job', EngineJobState(), row);
  } catch (error) {
    table.leftOut?.({ kind: 'engine job', id: `${String(row.pk)} ${String(row.sk)}`, error });
    return { outcome: { status: 'failed', code: 'INTERNAL_ERROR' }, costMicros: 0 };
  }
}

async function listJobs(
  table: Table,
  taskId: string,
  stateOf: (row: Item) => EngineJobState,
): Promise<(EngineJobState & JobId)[]> {
  const rows = await Array.fromAsync(table.walk({ ...jobsOf(taskId), ConsistentRead: true }));
  return rows.map((row) => ({ taskId, name: jobNameOf(row), ...stateOf(row) }));
}

/** The state of the job when a condition on it failed. */
function standing(error: unknown): EngineJobState {
  if (error instanceof ConditionFailed) return EngineJobState().parse(error.item ?? {});
  throw error;
}

/** The condition that these attributes are as they were read. */
function whileUnchanged(seen: Item) {
  const names = Object.keys(seen);
  return {
    condition: names
      .map((name) => (seen[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`))
      .join(' AND '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(
      names.flatMap((name) => (seen[name] === undefined ? [] : [[`:${name}`, seen[name]] as const])),
    ),
  };
}

/**
 * The write that fixes the cost of a job without an outcome, in the transaction that ends its task. It fails if the job
 * has changed since it was read.
 */
export function settleJob(job: JobId & EngineJobState, to: number, now: number): Action {
  const unchanged = whileUnchanged({ reference: job.reference, costMicros: job.costMicros, outcome: undefined });
  return {
    Update: {
      Key: jobKey(job.taskId, job.name),
      UpdateExpression: 'SET #costMicros = :to, isSettled = :settled, expiresAt = if_not_exists(expiresAt, :expiry)',
      ConditionExpression: unchanged.condition,
      ExpressionAttributeNames: unchanged.names,
      ExpressionAttributeValues: { ':to': to, ':settled': true, ':expiry': expiryAt(now), ...unchanged.values },
    },
  };
}

/** Fixes the cost of a job, or raises it; fails if the job has changed since it was read. */
export function raiseJobCost(job: JobId & EngineJobState, to: number): Action {
  const { costMicros, engine, isSettled, reference } = job;
  const unchanged = whileUnchanged({ costMicros, isSettled, reference });
  const named = engine === undefined ? {} : { ':engine': engine };
  return {
    Update: {
      Key: jobKey(job.taskId, job.name),
      UpdateExpression: `SET #costMicros = :to, #isSettled = :true${engine === undefined ? '' : ', engine = :engine'}`,
      ConditionExpression: unchanged.condition,
      ExpressionAttributeNames: unchanged.names,
      ExpressionAttributeValues: { ':to': to, ':true': true, ...named, ...unchanged.values },
    },
  };
}

async function addJobCost(table: Table, job: JobId, engine: string, costMicros: number): Promise<boolean> {
  try {
    await table.update({
      Key: jobKey(job.taskId, job.name),
      UpdateExpression: 'SET engine = if_not_exists(engine, :engine) ADD costMicros :cost',
      ConditionExpression: 'attribute_not_exists(outcome) AND attribute_not_exists(isSettled)',
      ExpressionAttributeValues: { ':engine': engine, ':cost': costMicros },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

export function engineJobStore(table: Table): EngineJobStore {
  const update = (...change: Change) => updateJob(table, ...change);

  return {
    async find({ taskId, name }) {
      return EngineJobState().parse((await table.get(jobKey(taskId, name))) ?? {});
    },
    list: (taskId) => listJobs(table, taskId, (row) => EngineJobState().parse(row)),
    listReadable: (taskId) => listJobs(table, taskId, (row) => readableState(table, row)),
    recordToken: (job, token, now) =>
      update(job, 'SET #token = :token, #expiresAt = :expiry, #begunAt = if_not_exists(#begunAt, :now)', {
        ':token': token,
        ':expiry': expiryAt(now),
        ':now': now,
      }),
    recordAcceptance: (job, { engine, reference, completion, deadlineAt }) =>
      update(
        job,
        'SET #engine = :engine, #reference = :reference, #completion = :completion, ' +
          '#deadlineAt = if_not_exists(#deadlineAt, :deadline)',
        { ':engine': engine, ':reference': reference, ':completion': completion, ':deadline': deadlineAt },
        'attribute_not_exists(#reference)',
      ).catch(standing),
    recordLoss: (job, reference) =>
      update(
        job,
        'SET #lostReferences = list_append(if_not_exists(#lostReferences, :none), :lost) REMOVE #reference',
        { ':none': [], ':lost': [reference], ':reference': reference },
        '#reference = :reference',
      ).catch((error: unknown) => void standing(error)),
    async recordReference(job, { from, to }) {
      const change = update(job, 'SET #reference = :to', { ':from': from, ':to': to }, '#reference = :from');
      await change.catch(standing);
    },
    async recordInputs(job, keys) {
      await update(job, 'SET #inputKeys = :keys', { ':keys': keys });
    },
    recordOutcome: (job, outcome, now, costMicros = 0) =>
      update(
        job,
        'SET #outcome = if_not_exists(#outcome, :outcome), #costMicros = if_not_exists(#costMicros, :cost), ' +
          '#expiresAt = if_not_exists(#expiresAt, :expiry)',
        { ':outcome': outcome, ':cost': costMicros, ':expiry': expiryAt(now) },
      ),
    addCost: (job, engine, costMicros) => addJobCost(table, job, engine, costMicros),
    erase: (taskId, now) => eraseJobs(table, taskId, now),
  };
}
