/** Stores counts of each day's usage, so that a ledger row is read once or twice rather than for every report. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { expiryAttribute, usageKey } from '../keys.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import { type Day, Usage } from './usage.ts';

/** The count of a day's ledger rows up to the id `through`, inclusive. */
export interface CountedDay {
  readonly through: string;
  readonly usage: Usage;
}

export interface UsageStore {
  find(accountId: string, days: readonly Day[]): Promise<ReadonlyMap<Day, CountedDay>>;
  /**
   * Stores a count. Does nothing if another report has counted further than `seen` meanwhile; `seen` is undefined for a
   * first count.
   */
  save(accountId: string, day: Day, counted: CountedDay, seen: string | undefined): Promise<void>;
}

/**
 * How long counts are stored: longer than a report can go back. A count that DynamoDB has removed is computed again.
 */
const keptSeconds = 100 * 24 * 3600;

const UsageRow = once(() =>
  z.object({
    through: z.string(),
    sums: z.array(
      z.object({
        taskType: z.string(),
        tokenId: z.exactOptional(z.string()),
        tasks: z.int(),
        failed: z.int(),
        creditsUsed: z.int(),
        creditsRefunded: z.int(),
      }),
    ),
  }),
);

export const usageStore = (table: Table): UsageStore => ({
  async find(accountId, days) {
    const items = await table.getMany(days.map((day) => usageKey(accountId, day)));
    return new Map(
      // Counts without failures, which were stored earlier as `entries`, and those that cannot be read are ignored and computed again.
      readableItems(
        table,
        'day of usage',
        items.filter(({ sums }) => sums !== undefined),
        (item) => {
          const { through, sums } = parseRow('day of usage', UsageRow(), item);
          return [String(item.sk), { through, usage: new Usage(sums) }] as const;
        },
      ),
    );
  },
  async save(accountId, day, { through, usage }, seen) {
    const key = usageKey(accountId, day);
    const expiry = Math.ceil(Date.parse(day) / 1000) + keptSeconds;
    try {
      await table.put({
        Item: { ...key, through, sums: usage.entries, [expiryAttribute]: expiry },
        ConditionExpression: seen === undefined ? 'attribute_not_exists(sums)' : 'through = :seen',
        ...(seen !== undefined && { ExpressionAttributeValues: { ':seen': seen } }),
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  },
});
