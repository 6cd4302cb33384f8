/** The credit packs on sale. */
import * as z from 'zod';
import { defaultPlans, type PackEntry } from '../../catalog/plans.ts';
import { offersLimit } from '../../contracts/limits.ts';
import { cents, credits, label, listOf } from './catalog-fields.ts';
import type { CatalogRow } from './catalog-row.ts';

const pack = () =>
  z.strictObject({
    id: label(),
    name: label(),
    credits: credits(),
    priceCents: cents().min(1),
    isPopular: z.boolean(),
  }) satisfies z.ZodType<PackEntry>;

export const packsRow: CatalogRow<readonly PackEntry[]> = {
  name: 'packs',
  members: () => ({
    creditPacks: { schema: () => listOf(pack(), offersLimit), byDefault: defaultPlans.creditPacks },
  }),
  toValue: ({ creditPacks }) => creditPacks as readonly PackEntry[],
};
