/** Creates orders in the table directly, as if the account had ordered. */
import type { PackOrder } from '../../shared/domain/billing/orders/order.ts';
import { takeRoom } from '../../shared/domain/billing/orders/order-room.ts';
import { insertOrder } from '../../shared/domain/billing/orders/order-store.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

export async function giveOrder(
  { clock, ids, table }: Pick<FullContext, 'clock' | 'ids' | 'table'>,
  accountId: string,
  given: Partial<PackOrder> = {},
): Promise<string> {
  const order: PackOrder = {
    type: 'pix_credit_pack',
    orderId: ids.next(),
    accountId,
    status: 'pending',
    cents: 5990,
    credits: 500,
    packId: 'pack-500',
    packName: '500 credits',
    gateway: 'mercado-pago',
    chargeId: '1',
    qrCode: 'pix',
    qrCodeBase64: 'data:image/png;base64,AAAA',
    payableUntil: clock.now() + 30 * 60_000,
    createdAt: clock.now(),
    ...given,
  };
  const room = order.status === 'pending' ? [takeRoom(accountId, order.orderId)] : [];
  await table.transact([...room, insertOrder(order)]);
  return order.orderId;
}
