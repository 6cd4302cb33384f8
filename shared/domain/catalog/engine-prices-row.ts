/** What engines charge for their jobs, and what a credit is worth. */
import * as z from 'zod';
import { EnginePrice, maxMicros } from '../../catalog/engine-price.ts';
import { defaultCreditWorth, defaultEnginePrices, priceNamesOf } from '../../catalog/engine-prices.ts';
import type { CatalogMembers, CatalogRow } from './catalog-row.ts';

const creditWorth = () => z.strictObject({ micros: z.int().min(1).max(maxMicros) });

export interface EnginePrices {
  /** The prices of engines, by their names in the catalog. */
  readonly prices: Readonly<Record<string, EnginePrice>>;
  /** How much a credit is sold for on average, in millionths of a dollar. */
  readonly creditMicros: number;
}

export const enginePricesRow: CatalogRow<EnginePrices> = {
  name: 'engine-prices',
  members: (): CatalogMembers => ({
    credit: { schema: creditWorth, byDefault: defaultCreditWorth },
    ...Object.fromEntries(
      Object.entries(defaultEnginePrices).map(([name, byDefault]) => [name, { schema: EnginePrice, byDefault }]),
    ),
  }),
  toValue: ({ credit, ...prices }) => ({
    prices: prices as Readonly<Record<string, EnginePrice>>,
    creditMicros: (credit as typeof defaultCreditWorth).micros,
  }),
};

/** The current price of each kind of job on a route; a kind without a price counts as free. */
export const pricesOfJobs = ({ prices }: EnginePrices, route: string): Readonly<Record<string, EnginePrice>> =>
  Object.fromEntries(
    Object.entries(priceNamesOf(route)).flatMap(([kind, name]) => {
      const price = prices[name];
      return price ? [[kind, price]] : [];
    }),
  );
