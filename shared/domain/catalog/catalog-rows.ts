/** All rows of the catalog by name, for the commands with which operators change them. */
import type { CatalogRow, CatalogRowName } from './catalog-row.ts';
import { couponsRow } from './coupons-row.ts';
import { enginePricesRow } from './engine-prices-row.ts';
import { packsRow } from './packs-row.ts';
import { plansRow } from './plans-row.ts';
import { pricesRow } from './prices-row.ts';
import { routesRow } from './routes-row.ts';
import { studioRow } from './studio-row.ts';
import { switchesRow } from './switches-row.ts';
import { voicePreviewsRow } from './voice-previews-row.ts';
import { voicesRow } from './voices-row.ts';

export const catalogRows: Readonly<Record<CatalogRowName, CatalogRow<unknown>>> = {
  plans: plansRow,
  packs: packsRow,
  coupons: couponsRow,
  prices: pricesRow,
  studio: studioRow,
  switches: switchesRow,
  routes: routesRow,
  voices: voicesRow,
  'voice-previews': voicePreviewsRow,
  'engine-prices': enginePricesRow,
};
