/** Bounds the deliveries in flight per account and per receiving host; leases free the slots of crashed workers. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Key, type Table } from '../../platform/dynamo-table.ts';
import { slotsKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { leaseMs } from './webhook.ts';

/** Well below the number of workers, so that no account can keep them all busy. */
export const deliveriesPerAccount = 5;

/** Above that of an account, so that no account can use up a host that others use too. */
export const deliveriesPerHost = 20;

/** An attempt that takes this long is slow, whether or not it times out in the end. */
export const slowAttemptMs = 5_000;

/** How long after a slow attempt an account gets one delivery at a time. */
export const slowMs = 60_000;

/** `full`: too many deliveries are in flight. `slow`: one is in flight, and the account's last ones were slow. */
export type Admission = 'admitted' | 'full' | 'slow';

const deferralsSeconds: Readonly<Record<Exclude<Admission, 'admitted'>, readonly number[]>> = {
  full: [1, 2, 4, 8, 16],
  slow: [15],
};

/** When a deferred attempt is retried; undefined leaves it to the sweeper, so that a backlog costs little. */
export const deferralSeconds = (admission: Exclude<Admission, 'admitted'>, deferrals: number): number | undefined =>
  deferralsSeconds[admission][deferrals];

export interface Delivery {
  readonly accountId: string;
  readonly host: string;
  /** The id of the worker. */
  readonly worker: string;
}

export interface DeliverySlots {
  /** The time is when the delivery began; it is part of the lease. */
  acquire(delivery: Delivery, startedAt: number): Promise<Admission>;
  /** Ends a delivery's lease. After a slow delivery the account gets one at a time for a while. */
  release(delivery: Delivery, startedAt: number, endedAt: number): Promise<void>;
}

/** The table removes unused rows. */
const keptSeconds = 24 * 3600;

const SlotsRow = once(() =>
  z.object({ leases: z.set(z.string()).default(new Set()), slowUntil: z.number().default(0) }),
);

const accountSlots = ({ accountId }: Delivery) => slotsKey(`account:${accountId}`);
const hostSlots = ({ host }: Delivery) => slotsKey(`host:${host}`);

const leaseOf = ({ worker }: Delivery, startedAt: number): string => `${startedAt + leaseMs} ${worker}`;
const leaseEnd = (lease: string): number => Number(lease.split(' ')[0]);

async function takeSlot(table: Table, key: Key, bound: number, lease: string, now: number): Promise<Admission> {
  for (;;) {
    try {
      await table.update({
        Key: key,
        UpdateExpression: 'ADD leases :lease SET expiresAt = :expiresAt',
        ConditionExpression:
          'attribute_not_exists(leases) OR (size(leases) < :bound AND (attribute_not_exists(slowUntil) OR slowUntil <= :now))',
        ExpressionAttributeValues: {
          ':lease': new Set([lease]),
          ':bound': bound,
          ':now': now,
          ':expiresAt': Math.floor(now / 1000) + keptSeconds,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return 'admitted';
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const { leases, slowUntil } = parseRow('slots row', SlotsRow(), error.item ?? {});
      // The lease is already there if the response to an earlier try was lost.
      if (leases.has(lease)) return 'admitted';
      const expired = [...leases].filter((one) => leaseEnd(one) <= now);
      if (expired.length === 0) return slowUntil > now ? 'slow' : 'full';
      await dropLeases(table, key, expired);
    }
  }
}

const dropLeases = (table: Table, key: Key, leases: readonly string[]) =>
  table.update({
    Key: key,
    UpdateExpression: 'DELETE leases :leases',
    ExpressionAttributeValues: { ':leases': new Set(leases) },
  });

export function deliverySlots(table: Table): DeliverySlots {
  return {
    async acquire(delivery, startedAt) {
      const lease = leaseOf(delivery, startedAt);
      const accountKey = accountSlots(delivery);
      const ofAccount = await takeSlot(table, accountKey, deliveriesPerAccount, lease, startedAt);
      if (ofAccount !== 'admitted') return ofAccount;
      const ofHost = await takeSlot(table, hostSlots(delivery), deliveriesPerHost, lease, startedAt);
      if (ofHost !== 'admitted') await dropLeases(table, accountKey, [lease]);
      return ofHost;
    },
    async release(delivery, startedAt, endedAt) {
      const leases = [leaseOf(delivery, startedAt)];
      const isSlow = endedAt - startedAt >= slowAttemptMs;
      await Promise.all([
        dropLeases(table, hostSlots(delivery), leases),
        table.update({
          Key: accountSlots(delivery),
          UpdateExpression: `DELETE leases :leases${isSlow ? ' SET slowUntil = :until' : ''}`,
          ExpressionAttributeValues: { ':leases': new Set(leases), ...(isSlow && { ':until': endedAt + slowMs }) },
        }),
      ]);
    },
  };
}
