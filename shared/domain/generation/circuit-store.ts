/** Where circuits are kept: few rows in one partition, read at most every five seconds. */
import type { Clock } from '../../platform/clock.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { keptFor } from '../../platform/kept-for.ts';
import { circuitKey, circuitsPartition } from '../keys.ts';
import { type Circuit, failuresThatOpen, pauseAfter, probeMs } from './circuit.ts';

export interface CircuitStore {
  /** All circuits that were ever troubled, by name; at most five seconds old. */
  read(): Promise<ReadonlyMap<string, Circuit>>;
  /** A task failed by the engine's fault; true when that opened the circuit. */
  noteFailure(name: string, taskId: string): Promise<boolean>;
  /** The engine works: the circuit is closed, if it was anything else. */
  noteSuccess(name: string): Promise<void>;
  /** The task that was let through says nothing of the engine: another one may try. */
  giveBack(name: string, taskId: string): Promise<void>;
}

const staleAfterMs = 5_000;

const toCircuit = ({ failures, openUntil, probeUntil, probeTask }: Item): Circuit => ({
  failures: Number(failures ?? 0),
  ...(openUntil !== undefined && { openUntil: Number(openUntil) }),
  ...(probeUntil !== undefined && { probeUntil: Number(probeUntil) }),
  ...(probeTask !== undefined && { probeTask: probeTask as string }),
});

async function load(table: Table): Promise<ReadonlyMap<string, Circuit>> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': circuitsPartition } };
  const rows = await Array.fromAsync(table.walk(query));
  return new Map(rows.map((row) => [String(row.sk), toCircuit(row)]));
}

const isOver = (time: string): string => `(attribute_not_exists(${time}) OR ${time} <= :now)`;

/** Lets a task be the one that tries, in the transaction that creates it; refused when somebody else is, or the pause lasts. */
export const claimProbe = (name: string, taskId: string, now: number): Action => ({
  Update: {
    Key: circuitKey(name),
    UpdateExpression: 'SET probeUntil = :until, probeTask = :task',
    ConditionExpression: `failures >= :open AND ${isOver('openUntil')} AND ${isOver('probeUntil')}`,
    ExpressionAttributeValues: { ':until': now + probeMs, ':task': taskId, ':now': now, ':open': failuresThatOpen },
  },
});

async function unless<Value>(condition: Promise<Value>): Promise<Value | ConditionFailed> {
  try {
    return await condition;
  } catch (error) {
    if (error instanceof ConditionFailed) return error;
    throw error;
  }
}

/** One more in a row, of a circuit that is closed; or the circuit as it is, when it is not. */
async function countFailure(table: Table, name: string): Promise<Circuit & { readonly isCounted: boolean }> {
  const counted = await unless(
    table.update({
      Key: circuitKey(name),
      UpdateExpression: 'ADD failures :one',
      ConditionExpression: 'attribute_not_exists(failures) OR failures < :open',
      ExpressionAttributeValues: { ':one': 1, ':open': failuresThatOpen },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  const isCounted = !(counted instanceof ConditionFailed);
  return { ...toCircuit(isCounted ? counted : (counted.item ?? {})), isCounted };
}

/** Whoever counted the last one may have died before this: the next one makes up for it. */
const pauseFrom = (table: Table, name: string, failures: number, now: number) =>
  table.update({
    Key: circuitKey(name),
    UpdateExpression: 'SET openUntil = if_not_exists(openUntil, :until)',
    ExpressionAttributeValues: { ':until': now + pauseAfter(failures) },
  });

/** The one that was let through has failed: a longer pause. Whoever else fails late was made before it began. */
async function prolong(table: Table, name: string, taskId: string, failures: number, now: number): Promise<void> {
  await unless(
    table.update({
      Key: circuitKey(name),
      UpdateExpression: 'SET openUntil = :until ADD failures :one REMOVE probeUntil, probeTask',
      ConditionExpression: 'probeTask = :task',
      ExpressionAttributeValues: { ':until': now + pauseAfter(failures + 1), ':one': 1, ':task': taskId },
    }),
  );
}

export function circuitStore(table: Table, clock: Clock): CircuitStore {
  const circuits = keptFor(staleAfterMs, clock, () => load(table));

  return {
    read: () => circuits.read(),
    async noteFailure(name, taskId) {
      const { failures, isCounted, probeTask } = await countFailure(table, name);
      // What this function has written itself it must not overlook.
      circuits.forget();
      if (probeTask !== undefined) await prolong(table, name, taskId, failures, clock.now());
      else if (failures >= failuresThatOpen) await pauseFrom(table, name, failures, clock.now());
      return isCounted && failures === failuresThatOpen;
    },
    async noteSuccess(name) {
      // Most circuits were never troubled: their tasks' ends are not written down.
      if (!(await circuits.read()).get(name)?.failures) return;
      circuits.forget();
      await table.update({
        Key: circuitKey(name),
        UpdateExpression: 'SET failures = :none REMOVE openUntil, probeUntil, probeTask',
        ExpressionAttributeValues: { ':none': 0 },
      });
    },
    async giveBack(name, taskId) {
      circuits.forget();
      await unless(
        table.update({
          Key: circuitKey(name),
          UpdateExpression: 'REMOVE probeUntil, probeTask',
          ConditionExpression: 'probeTask = :task',
          ExpressionAttributeValues: { ':task': taskId },
        }),
      );
    },
  };
}
