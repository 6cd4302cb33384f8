/** The account's orders. */
import { billingContracts } from '../../../shared/contracts/billing.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { usePaging } from '../../parts/pager.tsx';
import { Status } from '../../parts/status.tsx';

type Order = Data<typeof billingContracts.listOrders>['orders'][number];

function Ordered({ order: { id, packName, pix } }: { readonly order: Order }) {
  const { text } = useLanguage();
  const name = labelOf(text.catalog, packName);
  if (!pix) return name;
  return (
    <TextLink to="/billing/orders/$orderId" params={{ orderId: id }} size="sm">
      {name}
    </TextLink>
  );
}

export function Orders() {
  const { text, format } = useLanguage();
  const paging = usePaging(10);
  const query = useApi(
    billingContracts.listOrders,
    { query: paging.query },
    { placeholderData: (previous) => previous },
  );
  return (
    <PagedTable
      title={text.billing.orders}
      empty={text.billing.noOrders}
      query={query}
      paging={paging}
      rowsOf={({ orders }) => orders}
      columns={[
        { label: text.billing.order, cell: (order) => <Ordered order={order} /> },
        { label: text.billing.price, isNumber: true, cell: ({ amount }) => format.money(amount) },
        {
          label: text.common.status,
          cell: ({ status }) => <Status status={status} label={labelOf(text.orderStatuses, status)} />,
        },
        { label: text.billing.date, cell: ({ createdAt }) => format.day(createdAt) },
      ]}
    />
  );
}
