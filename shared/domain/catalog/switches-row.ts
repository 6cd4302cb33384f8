/** The operations that are switched off. */
import * as z from 'zod';
import type { CatalogRow } from './catalog-row.ts';

export const switchesRow: CatalogRow<ReadonlySet<string>> = {
  name: 'switches',
  members: () => ({ off: { schema: () => z.array(z.string().min(1).max(120)), byDefault: [] } }),
  toValue: ({ off }) => new Set(off as readonly string[]),
};
