/** Limits concurrent deliveries per account and per receiving host; leases free the slots of crashed workers. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Key, type Table } from '../../platform/dynamo-table.ts';
import { slotsKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { leaseMs } from './webhook.ts';

/**
 * The limit of concurrent deliveries per account: well below the number of workers, so that one account cannot keep
 * them all busy.
 */
export const deliveriesPerAccount = 5;

/**
 * The limit of concurrent deliveries per host: above the limit per account, so that one account cannot use up a host
 * that others use too.
 */
export const deliveriesPerHost = 20;

/** An attempt that takes this long counts as slow, whether or not it succeeds. */
export const slowAttemptMs = 5_000;

/** How long after a slow attempt an account is limited to one delivery at a time to that host. */
export const slowMs = 60_000;

/**
 * From this number of slow hosts on, all hosts count as slow for an account, because each delivery could name a new
 * host.
 */
export const slowHostsPerAccount = 3;

/** The limit of concurrent deliveries to a host from all accounts for which it is slow. */
export const slowDeliveriesPerHost = 5;

/**
 * `full`: too many deliveries are in flight. `slow`: too many are in flight to a host, or from an account, that was
 * slow recently.
 */
export type Admission = 'admitted' | 'full' | 'slow';

const deferralsSeconds: Readonly<Record<Exclude<Admission, 'admitted'>, readonly number[]>> = {
  full: [1, 2, 4, 8, 16],
  slow: [15],
};

/** How soon a deferred attempt is retried; undefined leaves it to the sweeper, so that a backlog costs little. */
export const deferralSeconds = (admission: Exclude<Admission, 'admitted'>, deferrals: number): number | undefined =>
  deferralsSeconds[admission][deferrals];

export interface Delivery {
  readonly accountId: string;
  readonly host: string;
  /** The id of the worker, which holds the lease. */
  readonly worker: string;
}

export interface DeliverySlots {
  /** Takes a slot for a delivery; `startedAt` is part of the lease. */
  acquire(delivery: Delivery, startedAt: number): Promise<Admission>;
  /**
   * Ends a delivery's lease. After a slow delivery, the account is limited to one at a time to its host for a while.
   */
  release(delivery: Delivery, startedAt: number, endedAt: number): Promise<void>;
}

/** How long DynamoDB keeps unused rows. */
const keptSeconds = 24 * 3600;

const SlotsRow = once(() =>
  z.object({ leases: z.set(z.string()).default(new Set()), slow: z.record(z.string(), z.number()).default({}) }),
);
type SlotsRow = z.infer<ReturnType<typeof SlotsRow>>;

/**
 * The slots of an account or a host. In the row of an account, `party` is the host of a delivery; in the row of a host,
 * it is the account.
 */
interface Slots {
  readonly key: Key;
  readonly party: string;
  readonly lease: string;
  readonly bound: number;
  /** The limit of concurrent deliveries of all slow parties together. */
  readonly slowBound: number;
  /**
   * From this number of slow parties on, all parties count as slow; further ones are not recorded, which limits the
   * row's size.
   */
  readonly maxSlowParties: number;
}

const leaseOf = (worker: string, startedAt: number, party: string): string =>
  `${startedAt + leaseMs} ${worker} ${party}`;
const leaseEnd = (lease: string): number => Number(lease.split(' ')[0]);
const partyOf = (lease: string): string => lease.slice(lease.lastIndexOf(' ') + 1);

const slotsOfAccount = ({ accountId, host, worker }: Delivery, startedAt: number): Slots => ({
  key: slotsKey(`account:${accountId}`),
  party: host,
  lease: leaseOf(worker, startedAt, host),
  bound: deliveriesPerAccount,
  slowBound: 1,
  maxSlowParties: slowHostsPerAccount,
});

const slotsOfHost = ({ accountId, host, worker }: Delivery, startedAt: number): Slots => ({
  key: slotsKey(`host:${host}`),
  party: accountId,
  lease: leaseOf(worker, startedAt, accountId),
  bound: deliveriesPerHost,
  slowBound: slowDeliveriesPerHost,
  maxSlowParties: deliveriesPerHost,
});

/** Whether the row admits a delivery, ignoring everything that has expired. */
function admissionTo({ party, bound, slowBound, maxSlowParties }: Slots, { leases, slow }: SlotsRow): Admission {
  if (leases.size >= bound) return 'full';
  const areAllSlow = Object.keys(slow).length >= maxSlowParties;
  const isSlow = (one: string): boolean => areAllSlow || Object.hasOwn(slow, one);
  if (!isSlow(party)) return 'admitted';
  return [...leases].filter((lease) => isSlow(partyOf(lease))).length < slowBound ? 'admitted' : 'slow';
}

interface Condition {
  readonly expression: string;
  readonly names?: Record<string, string>;
  readonly values?: Record<string, unknown>;
}

/**
 * The condition that the other party is not slow and a lease is free; under it, a delivery is admitted without reading
 * the row first.
 */
const isFree = ({ party, bound, maxSlowParties }: Slots): Condition => ({
  expression:
    '(attribute_not_exists(leases) OR size(leases) < :bound)' +
    ' AND (attribute_not_exists(slow) OR (attribute_not_exists(slow.#party) AND size(slow) < :parties))',
  names: { '#party': party },
  values: { ':bound': bound, ':parties': maxSlowParties },
});

const hasLeases = ({ leases }: SlotsRow): Condition =>
  leases.size === 0
    ? { expression: 'attribute_not_exists(leases)' }
    : { expression: 'leases = :leases', values: { ':leases': leases } };

/** Adds a lease. @throws {ConditionFailed} */
const addLease = (table: Table, { key, lease }: Slots, now: number, { expression, names, values }: Condition) =>
  table.update({
    Key: key,
    UpdateExpression: 'ADD leases :lease SET expiresAt = :expiresAt, slow = if_not_exists(slow, :none)',
    ConditionExpression: expression,
    ...(names && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: {
      ':lease': new Set([lease]),
      ':expiresAt': Math.floor(now / 1000) + keptSeconds,
      ':none': {},
      ...values,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });

const dropLeases = (table: Table, key: Key, leases: readonly string[]) =>
  table.update({
    Key: key,
    UpdateExpression: 'DELETE leases :leases',
    ExpressionAttributeValues: { ':leases': new Set(leases) },
  });

/** Marks a party as no longer slow, unless another slow delivery was recorded in the meantime. */
const forgetSlow = (table: Table, key: Key, party: string, now: number) =>
  ifHolds(
    table.update({
      Key: key,
      UpdateExpression: 'REMOVE slow.#party',
      ConditionExpression: 'slow.#party <= :now',
      ExpressionAttributeNames: { '#party': party },
      ExpressionAttributeValues: { ':now': now },
    }),
  );

/** Runs an update; false if its condition failed. */
async function ifHolds(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Removes expired leases and slow parties; false if there were none. */
async function dropExpired(table: Table, { key }: Slots, { leases, slow }: SlotsRow, now: number): Promise<boolean> {
  const expired = [...leases].filter((lease) => leaseEnd(lease) <= now);
  const forgiven = Object.keys(slow).filter((party) => (slow[party] ?? 0) <= now);
  if (expired.length > 0) await dropLeases(table, key, expired);
  for (const party of forgiven) await forgetSlow(table, key, party, now);
  return expired.length + forgiven.length > 0;
}

async function takeSlot(table: Table, slots: Slots, now: number): Promise<Admission> {
  let condition = isFree(slots);
  for (;;) {
    try {
      await addLease(table, slots, now, condition);
      return 'admitted';
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const row = parseRow('slots row', SlotsRow(), error.item ?? {});
      // The lease already exists if the response to an earlier attempt to write it was lost.
      if (row.leases.has(slots.lease)) return 'admitted';
      if (await dropExpired(table, slots, row, now)) {
        condition = isFree(slots);
        continue;
      }
      const admission = admissionTo(slots, row);
      if (admission !== 'admitted') return admission;
      condition = hasLeases(row);
    }
  }
}

/** Ends the lease and records the party as slow, unless so many are slow that all count as slow anyway. */
async function releaseSlow(table: Table, { key, party, lease, maxSlowParties }: Slots, until: number): Promise<void> {
  const isRecorded = await ifHolds(
    table.update({
      Key: key,
      UpdateExpression: 'DELETE leases :leases SET slow.#party = :until',
      ConditionExpression: 'attribute_exists(slow.#party) OR (attribute_exists(slow) AND size(slow) < :parties)',
      ExpressionAttributeNames: { '#party': party },
      ExpressionAttributeValues: { ':leases': new Set([lease]), ':until': until, ':parties': maxSlowParties },
    }),
  );
  if (!isRecorded) await dropLeases(table, key, [lease]);
}

export function deliverySlots(table: Table): DeliverySlots {
  return {
    async acquire(delivery, startedAt) {
      const account = slotsOfAccount(delivery, startedAt);
      const ofAccount = await takeSlot(table, account, startedAt);
      if (ofAccount !== 'admitted') return ofAccount;
      const ofHost = await takeSlot(table, slotsOfHost(delivery, startedAt), startedAt);
      if (ofHost !== 'admitted') await dropLeases(table, account.key, [account.lease]);
      return ofHost;
    },
    async release(delivery, startedAt, endedAt) {
      const isSlow = endedAt - startedAt >= slowAttemptMs;
      await Promise.all(
        [slotsOfAccount(delivery, startedAt), slotsOfHost(delivery, startedAt)].map((slots) =>
          isSlow ? releaseSlow(table, slots, endedAt + slowMs) : dropLeases(table, slots.key, [slots.lease]),
        ),
      );
    },
  };
}
