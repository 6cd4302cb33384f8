/** Finds what the orders of credit packs cost, beside which operators see what was paid. */
import type { Table } from '../../platform/dynamo-table.ts';
import { orderKey } from '../keys.ts';

/** Returns what the order of a pack costs, in the currency's unit; null for others, whose renewals may cost something else. */
export type PackPriceOf = (orderId: string) => number | null;

/** Reads at most 100 orders at once. Rows that cannot be read have no price: they must not close a list. */
export async function packPrices(table: Pick<Table, 'getMany'>, orderIds: readonly string[]): Promise<PackPriceOf> {
  const ids = new Set(orderIds);
  const rows = ids.size === 0 ? [] : await table.getMany([...ids].map(orderKey));
  const prices = new Map(rows.filter(({ type }) => type !== 'subscription').map(({ pk, cents }) => [pk, cents]));
  return (orderId) => {
    const cents = prices.get(orderKey(orderId).pk);
    return typeof cents === 'number' ? cents / 100 : null;
  };
}
