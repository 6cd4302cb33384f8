/** A catalog in which one row has other values. */
import type { CatalogRow } from '../../shared/domain/catalog/catalog-row.ts';
import type { CatalogStore } from '../../shared/domain/catalog/catalog-store.ts';

export const catalogWith = <Value>(
  catalog: CatalogStore,
  row: CatalogRow<Value>,
  change: (value: Value) => Value,
): CatalogStore => ({
  ...catalog,
  async read(asked) {
    const value = await catalog.read(asked);
    return asked.name === row.name ? (change(value as never) as never) : value;
  },
});
