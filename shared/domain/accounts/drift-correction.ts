/** Records of corrected drift: appended in the transaction of the correction, and never changed. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { driftIdIn, driftKey, reportedDriftsKey } from '../keys.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import { driftCauses, type FoundCause } from './drift-cause.ts';

export interface DriftCorrection extends FoundCause {
  readonly driftId: string;
  readonly accountId: string;
  /** The balance before and after the correction, and the sum of the ledger. */
  readonly before: number;
  readonly after: number;
  readonly sum: number;
  /** The ids of the tasks whose slots were freed or restored. */
  readonly slotsFreed: readonly string[];
  readonly slotsRestored: readonly string[];
  readonly at: number;
}

const DriftRow = once(() =>
  z.object({
    accountId: z.string(),
    before: z.int(),
    after: z.int(),
    sum: z.int(),
    slotsFreed: z.array(z.string()),
    slotsRestored: z.array(z.string()),
    cause: z.enum(driftCauses),
    suspects: z.array(z.string()),
    at: z.int(),
  } satisfies Record<Exclude<keyof DriftCorrection, 'driftId'>, z.ZodType>),
);

const Reported = once(() => z.object({ ids: z.array(z.string()) }));

export const appendCorrection = ({ driftId, ...drift }: DriftCorrection): Action => ({
  Put: { Item: { ...driftKey(driftId), ...drift }, ConditionExpression: 'attribute_not_exists(pk)' },
});

const toCorrection = (item: Item): DriftCorrection => ({
  driftId: driftIdIn(item),
  ...parseRow('drift correction', DriftRow(), item),
});

/** The records since a time, oldest first. */
export async function correctionsSince(table: Table, since: number): Promise<DriftCorrection[]> {
  const { pk, sk } = driftKey(firstIdAt(since));
  const found = table.walk({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': sk, ':to': driftKey('~').sk },
    ConsistentRead: true,
  });
  return readableItems(table, 'drift correction', await Array.fromAsync(found), toCorrection);
}

/** Records older than this are no longer reported: audits that do not run raise an alarm of their own. */
const reportableMs = 48 * 3_600_000;

/** The corrections that no audit has reported yet, and a function that marks them as reported. */
export async function unreportedCorrections(table: Table, now: number) {
  const [found, item] = await Promise.all([correctionsSince(table, now - reportableMs), table.get(reportedDriftsKey)]);
  const known = new Set(item ? parseRow('list of reported drifts', Reported(), item).ids : []);
  const remember = () => table.put({ Item: { ...reportedDriftsKey, ids: found.map(({ driftId }) => driftId) } });
  return { drifts: found.filter(({ driftId }) => !known.has(driftId)), remember };
}
