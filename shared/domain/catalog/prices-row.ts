/** The prices of the generation operations. */
import * as z from 'zod';
import { defaultPrices, type Prices } from '../../catalog/prices.ts';
import type { CatalogRow } from './catalog-row.ts';

/** The schema of a price: the same numbers as its default, each at least 1. */
const price = (byDefault: Readonly<Record<string, number>>) =>
  z.strictObject(Object.fromEntries(Object.keys(byDefault).map((name) => [name, z.int().min(1).max(1_000_000)])));

export const pricesRow: CatalogRow<Prices> = {
  name: 'prices',
  members: () =>
    Object.fromEntries(
      Object.entries(defaultPrices).map(([name, byDefault]) => [name, { schema: () => price(byDefault), byDefault }]),
    ),
  toValue: (members) => members as unknown as Prices,
};
