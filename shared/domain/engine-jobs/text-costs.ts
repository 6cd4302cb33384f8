/** What language models charge for texts, in millionths of a US dollar: what they state, otherwise by the catalog. */
import type { OnUse, TextUse } from '../../text-writers/text-writer.ts';
import { type EnginePrices, enginePricesRow } from '../catalog/engine-prices-row.ts';
import type { EngineCost } from '../figures/counts.ts';
import type { Stores } from '../stores.ts';

function costOf({ prices }: EnginePrices, { engine, readTokens, writtenTokens, statedMicros }: TextUse): number {
  if (statedMicros !== undefined) return statedMicros;
  const [read, written] = [prices[`${engine}/text-read`], prices[`${engine}/text-written`]];
  return Math.round((readTokens * (read?.micros ?? 0) + writtenTokens * (written?.micros ?? 0)) / 1000);
}

/**
 * Performs work with texts, and then records what each engine charges for them, whether the work succeeds or fails. The
 * prices are those in force now.
 */
export async function chargingTexts<Result>(
  { catalog }: Pick<Stores, 'catalog'>,
  work: (onUse: OnUse) => Promise<Result>,
  record: (cost: EngineCost) => Promise<void>,
): Promise<Result> {
  const uses: TextUse[] = [];
  try {
    return await work((use) => uses.push(use));
  } finally {
    const prices = uses.length === 0 ? undefined : await catalog.read(enginePricesRow);
    for (const [engine, own] of prices ? Map.groupBy(uses, (use) => use.engine) : []) {
      await record({ engine, micros: own.reduce((sum, use) => sum + (prices ? costOf(prices, use) : 0), 0) });
    }
  }
}
