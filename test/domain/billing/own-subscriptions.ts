import type { Table } from '../../../shared/platform/dynamo-table.ts';

/**
 * A view of the table with only these accounts' subscriptions, because those of others belong to gateways of other
 * tests.
 */
export const ownSubscriptions = (table: Table, accountIds: readonly string[]): Table => ({
  ...table,
  async *walk(query) {
    for await (const item of table.walk(query)) {
      const [kind, accountId = ''] = String(item.pk).split('#');
      if (kind !== 'SUBSCRIPTIONS' || accountIds.includes(accountId)) yield item;
    }
  },
});
