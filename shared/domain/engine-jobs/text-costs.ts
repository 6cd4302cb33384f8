/** What language models charge for texts, in millionths of a US dollar: what they state, otherwise by the catalog. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { OnUse, TextUse } from '../../text-writers/text-writer.ts';
import { type EnginePrices, enginePricesRow } from '../catalog/engine-prices-row.ts';
import type { EngineCost } from '../figures/counts.ts';
import type { Stores } from '../stores.ts';

function costOf({ prices }: EnginePrices, { engine, readTokens, writtenTokens, statedMicros }: TextUse): number {
  if (statedMicros !== undefined) return statedMicros;
  const [read, written] = [prices[`${engine}/text-read`], prices[`${engine}/text-written`]];
  return Math.round((readTokens * (read?.micros ?? 0) + writtenTokens * (written?.micros ?? 0)) / 1000);
}

interface Needs extends Pick<Stores, 'catalog'> {
  readonly logger: Pick<Logger, 'error'>;
}

async function recordCosts(
  { catalog }: Needs,
  uses: readonly TextUse[],
  record: (cost: EngineCost) => Promise<void>,
): Promise<void> {
  if (uses.length === 0) return;
  const prices = await catalog.read(enginePricesRow);
  for (const [engine, own] of Map.groupBy(uses, (use) => use.engine)) {
    await record({ engine, micros: own.reduce((sum, use) => sum + costOf(prices, use), 0) });
  }
}

/**
 * Performs work with texts, and then records what each engine charges for them, whether the work succeeds or fails. The
 * prices are those in force now. If that cannot be recorded, the log says so and the result is still used: the texts are
 * written and paid for, and only operators see what they cost.
 */
export async function chargingTexts<Result>(
  needs: Needs,
  work: (onUse: OnUse) => Promise<Result>,
  record: (cost: EngineCost) => Promise<void>,
): Promise<Result> {
  const uses: TextUse[] = [];
  try {
    return await work((use) => uses.push(use));
  } finally {
    await recordCosts(needs, uses, record).catch((error: Error) => {
      needs.logger.error('cost of texts not recorded', { answers: uses.length, reason: error.name });
    });
  }
}
