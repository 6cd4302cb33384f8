/** What the account has ordered. */
import { Table, Text } from '@mantine/core';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';

type Order = Data<typeof billingContracts.listOrders>['orders'][number];

function OrderRow({ order }: { readonly order: Order }) {
  const { text, format, credits } = useLanguage();
  const { amount, createdAt, id, packName, pix, status } = order;
  return (
    <Table.Tr>
      <Table.Td>
        {pix ? (
          <TextLink to="/billing/orders/$orderId" params={{ orderId: id }} size="sm">
            {credits(order.credits)}
          </TextLink>
        ) : (
          packName
        )}
      </Table.Td>
      <Table.Td>
        <Status status={status} label={labelOf(text.orderStatuses, status)} />
      </Table.Td>
      <Table.Td className="number">{format.money(amount)}</Table.Td>
      <Table.Td>{format.moment(createdAt)}</Table.Td>
    </Table.Tr>
  );
}

function OrderTable({ orders }: { readonly orders: readonly Order[] }) {
  const { text } = useLanguage();
  return (
    <div className="table-scroll">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.billing.order}</Table.Th>
            <Table.Th>{text.common.status}</Table.Th>
            <Table.Th className="number">{text.billing.price}</Table.Th>
            <Table.Th>{text.billing.date}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function Orders() {
  const { text } = useLanguage();
  const paging = usePaging(10);
  const query = useApi(
    billingContracts.listOrders,
    { query: paging.query },
    { placeholderData: (previous) => previous },
  );
  return (
    <Section title={text.billing.orders}>
      <Loaded query={query}>
        {({ orders }) => (
          <>
            {orders.length === 0 ? (
              <Text size="sm" c="dimmed">
                {text.billing.noOrders}
              </Text>
            ) : (
              <OrderTable orders={orders} />
            )}
            <Pager paging={paging} count={orders.length} of={text.billing.orders} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
