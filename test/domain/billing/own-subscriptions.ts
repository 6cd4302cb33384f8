import type { Table } from '../../../shared/platform/dynamo-table.ts';

/** The table without the subscriptions of others than these accounts, whose gateways are in other tests. */
export const ownSubscriptions = (table: Table, accountIds: readonly string[]): Table => ({
  ...table,
  async *walk(query) {
    for await (const item of table.walk(query)) {
      const [kind, accountId = ''] = String(item.pk).split('#');
      if (kind !== 'SUBSCRIPTIONS' || accountIds.includes(accountId)) yield item;
    }
  },
});
