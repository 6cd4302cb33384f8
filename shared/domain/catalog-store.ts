/** Where plans, prices and feature switches are kept: defaults in code, replaced by rows, read at most every 30 s. */
import { defaultPlans, type PlanCatalog } from '../catalog/plans.ts';
import { defaultPrices, type Prices } from '../catalog/prices.ts';
import type { Clock } from '../platform/clock.ts';
import type { Item, Table } from '../platform/dynamo-table.ts';
import { catalogKey } from './keys.ts';

export interface Catalog {
  readonly plans: PlanCatalog;
  readonly prices: Prices;
  /** The operations that are switched off. */
  readonly switchedOff: ReadonlySet<string>;
}

export interface CatalogStore {
  /** At most 30 s old. */
  read(): Promise<Catalog>;
  switchOperation(operationId: string, on: boolean): Promise<void>;
}

const staleAfterMs = 30_000;

const toCatalog = (rows: readonly Item[]): Catalog => {
  const row = (sk: string) => rows.find((candidate) => candidate.sk === sk);
  return {
    plans: (row('PLANS')?.plans as PlanCatalog | undefined) ?? defaultPlans,
    prices: { ...defaultPrices, ...(row('PRICES')?.prices as Partial<Prices> | undefined) },
    switchedOff: (row('SWITCHES')?.off as Set<string> | undefined) ?? new Set(),
  };
};

export function catalogStore(table: Table, clock: Clock): CatalogStore {
  let cached: { readonly catalog: Promise<Catalog>; readonly at: number } | undefined;

  async function load(): Promise<Catalog> {
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': catalogKey('PLANS').pk },
    };
    return toCatalog(await Array.fromAsync(table.walk(query)));
  }

  return {
    read() {
      const now = clock.now();
      if (!cached || now - cached.at >= staleAfterMs) {
        const catalog = load();
        cached = { catalog, at: now };
        // A failed read is not kept: the next request tries again.
        catalog.catch(() => {
          cached = undefined;
        });
      }
      return cached.catalog;
    },
    async switchOperation(operationId, on) {
      await table.update({
        Key: catalogKey('SWITCHES'),
        UpdateExpression: `${on ? 'DELETE' : 'ADD'} #off :operation`,
        ExpressionAttributeNames: { '#off': 'off' },
        ExpressionAttributeValues: { ':operation': new Set([operationId]) },
      });
    },
  };
}
