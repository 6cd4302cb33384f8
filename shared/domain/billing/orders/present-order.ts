/** Presents orders to the API, without details of the payer or the payment. */
import { timestamp } from '../../../platform/clock.ts';
import { type Order, orderCurrency } from './order.ts';

const orNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

const presentPurchase = (order: Order) =>
  order.type === 'subscription'
    ? {
        planId: order.planId,
        planName: order.planName,
        billingInterval: order.billingCycle,
        packName: order.planName,
        pix: null,
      }
    : {
        planId: order.packId,
        planName: null,
        billingInterval: null,
        packName: order.packName,
        pix: { qrCode: order.qrCode, qrCodeBase64: order.qrCodeBase64, expiresAt: timestamp(order.payableUntil) },
      };

export const presentOrder = (order: Order) => ({
  id: order.orderId,
  type: order.type,
  paymentMethod: order.gateway,
  status: order.status,
  amount: order.cents / 100,
  currency: orderCurrency,
  credits: order.credits,
  createdAt: timestamp(order.createdAt),
  paidAt: orNull(order.paidAt),
  canceledAt: orNull(order.canceledAt),
  ...presentPurchase(order),
});
