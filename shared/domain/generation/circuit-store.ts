/**
 * Stores circuits: one row per route in one partition, read at most every five seconds and written only on a change. The
 * row also holds how long the route's tasks take, because creations and ends of tasks read it anyway.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type Cached, cached } from '../../platform/cached.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { circuitKey, circuitsPartition } from '../keys.ts';
import { type DurationEstimate, isDue, LearnedDuration, learnDuration } from '../tasks/duration-estimate.ts';
import type { Task } from '../tasks/task.ts';
import {
  afterFailure,
  afterNothing,
  afterSuccess,
  type Circuit,
  hasOpened,
  noStreak,
  unusedCircuit,
} from './circuit.ts';

type EndedTask = Pick<Task, 'accountId' | 'createdAt' | 'route'>;

type TimedTask = Pick<Task, 'route' | 'taskType'>;

export interface CircuitStore {
  /** The circuits of all routes that have been used, by route id; at most five seconds old. */
  read(): Promise<ReadonlyMap<string, Circuit>>;
  /** The write that claims the probe of a half-open circuit, for the transaction that creates the task. */
  claim(route: string, claimed: Circuit): Action;
  /** Updates what this instance has cached of a circuit from its row, after a failed write has returned that row. */
  correct(route: string, found: Item): Promise<void>;
  /** Records a task that failed because of its engine; true if this opened the circuit, for the account or for all. */
  recordFailure(task: EndedTask): Promise<boolean>;
  /** Records a completed task, which closes the circuit for its account. */
  recordSuccess(task: EndedTask): Promise<void>;
  /**
   * Records a task whose end says nothing about its engine. If the task was a probe, another one is allowed at once.
   */
  recordNothing(task: EndedTask): Promise<void>;
  /** How long tasks of the type take on the route; undefined if none has been completed. */
  estimate(task: TimedTask): Promise<DurationEstimate | undefined>;
  /** Learns from the duration of a task that has just been completed, unless the estimate is recent. */
  recordDuration(task: TimedTask & Pick<Task, 'createdAt'>): Promise<void>;
}

const staleAfterMs = 5_000;

/** Writers conflict only while accounts are failing, and in each conflict one of them succeeds. */
const writeTries = 20;

const CircuitRow = once(() =>
  z.object({
    version: z.number().default(0),
    accounts: z
      .record(
        z.string(),
        z.object({
          failures: z.number(),
          usedAt: z.number(),
          openUntil: z.number().optional(),
          probeUntil: z.number().optional(),
        }),
      )
      .default({}),
    streak: z
      .object({
        votes: z.record(z.string(), z.number()),
        votedAt: z.number(),
        openings: z.number(),
        openUntil: z.number(),
        probeUntil: z.number().default(0),
      })
      .default(noStreak),
    /** The durations by task type, and when one of them last changed. */
    durations: z.record(z.string(), LearnedDuration()).catch({}),
    durationsAt: z.number().catch(0),
  }),
);
type CircuitRow = z.infer<ReturnType<typeof CircuitRow>>;

const unusedRow: CircuitRow = { ...unusedCircuit, durations: {}, durationsAt: 0 };

type Rows = Map<string, CircuitRow>;

async function load(table: Table): Promise<Rows> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': circuitsPartition } };
  const rows = await Array.fromAsync(table.walk(query));
  return new Map(rows.map((row) => [String(row.sk), CircuitRow().parse(row)]));
}

/** Replaces a circuit if it still has the version that was read. */
const replacement = (name: string, { accounts, streak, version }: Circuit) => ({
  Key: circuitKey(name),
  UpdateExpression: 'SET accounts = :accounts, streak = :streak, version = :next',
  ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :version',
  ExpressionAttributeValues: {
    ':accounts': accounts,
    ':streak': streak,
    ':next': version + 1,
    ...(version > 0 && { ':version': version }),
  },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

/** Replaces a circuit; returns the current row if another writer has changed it. */
async function replace(table: Table, name: string, circuit: Circuit): Promise<Item | undefined> {
  try {
    await table.update(replacement(name, circuit));
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return error.item ?? {};
    throw error;
  }
}

/**
 * Replaces the durations in a row, unless another writer has changed them since they were read. If so, one duration
 * among many is lost, so the write is not repeated, and writers never wait for each other.
 */
async function replaceDurations(
  table: Table,
  name: string,
  seenAt: number,
  { durations, durationsAt }: Pick<CircuitRow, 'durations' | 'durationsAt'>,
): Promise<boolean> {
  try {
    await table.update({
      Key: circuitKey(name),
      UpdateExpression: 'SET durations = :durations, durationsAt = :at',
      ConditionExpression: 'attribute_not_exists(durationsAt) OR durationsAt = :seen',
      ExpressionAttributeValues: { ':durations': durations, ':at': durationsAt, ':seen': seenAt },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** What the routes' rows say about durations: an estimate for a new task, and the update after a completed one. */
const learnedDurations = (
  table: Table,
  clock: Clock,
  rows: Cached<Rows>,
): Pick<CircuitStore, 'estimate' | 'recordDuration'> => ({
  async estimate({ route, taskType }) {
    const learned = (await rows.read()).get(route)?.durations[taskType];
    return learned && { typicalMs: learned.typicalMs, spread: learned.spread };
  },
  async recordDuration({ createdAt, route, taskType }) {
    const known = await rows.read();
    const row = known.get(route) ?? unusedRow;
    const durationsAt = clock.now();
    const learned = row.durations[taskType];
    if (!isDue(learned, durationsAt)) return;
    const durations = { ...row.durations, [taskType]: learnDuration(learned, durationsAt - createdAt, durationsAt) };
    const isReplaced = await replaceDurations(table, route, row.durationsAt, { durations, durationsAt });
    // The cached row is corrected instead of dropped, so that ends of tasks need no additional reads.
    if (isReplaced) known.set(route, { ...row, durations, durationsAt });
    else rows.forget();
  },
});

export function circuitStore(table: Table, clock: Clock): CircuitStore {
  const rows = cached(staleAfterMs, clock, () => load(table));

  /** Changes a circuit and returns it; undefined if nothing changed. @throws if concurrent writers kept changing it */
  async function change(name: string, next: (circuit: Circuit) => Circuit | undefined): Promise<Circuit | undefined> {
    let row = (await rows.read()).get(name) ?? unusedRow;
    for (let tries = 0; tries < writeTries; tries += 1) {
      const changed = next(row);
      if (!changed) return undefined;
      const current = await replace(table, name, changed);
      // Drops the cache, so that this instance sees its own writes.
      rows.forget();
      if (!current) return changed;
      row = CircuitRow().parse(current);
    }
    throw new Error('other writers changed the circuit at every attempt');
  }

  return {
    read: () => rows.read(),
    claim: (route, claimed) => ({ Update: replacement(route, claimed) }),
    async correct(route, found) {
      (await rows.read()).set(route, CircuitRow().parse(found));
    },
    async recordFailure(task) {
      const { accountId, route } = task;
      let before: Circuit = unusedCircuit;
      const after = await change(route, (circuit) => {
        before = circuit;
        return afterFailure(circuit, task, clock.now());
      });
      return after !== undefined && hasOpened(before, after, accountId);
    },
    async recordSuccess(task) {
      await change(task.route, (circuit) => afterSuccess(circuit, task));
    },
    async recordNothing(task) {
      const known = (await rows.read()).get(task.route) ?? unusedRow;
      // An open circuit may have been cached before the task claimed the probe.
      if (known.accounts[task.accountId]?.openUntil !== undefined || known.streak.openings > 0) rows.forget();
      await change(task.route, (circuit) => afterNothing(circuit, task, clock.now()));
    },
    ...learnedDurations(table, clock, rows),
  };
}
