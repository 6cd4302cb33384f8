/**
 * Orders a credit pack: creates the charge at the gateway first, then stores the order with the response to its
 * idempotency key.
 */

import type { PackEntry } from '../../../catalog/plans.ts';
import { billingContracts, pixMinutes } from '../../../contracts/billing.ts';
import { parseTaxId } from '../../../contracts/tax-id.ts';
import type { Payer, PixCharge, PixGateway } from '../../../gateways/pix-gateway.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Ids, timeOfId } from '../../../platform/ids.ts';
import { packsRow } from '../../catalog/packs-row.ts';
import { requireAvailable } from '../../catalog/require-available.ts';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import { type Attempt, runOnce } from '../../idempotency/run-once.ts';
import { Rejection } from '../../rejection.ts';
import type { Stores } from '../../stores.ts';
import { outdated, rejectOther, respondedBy, unavailableIfUnanswered, withdrawOrLeave } from '../gateway-call.ts';
import { orderCurrency, type PackOrder } from './order.ts';
import { noRoom, requireRoom, takeRoom } from './order-room.ts';
import { insertOrder } from './order-store.ts';
import { presentOrder } from './present-order.ts';

const contract = billingContracts.createCreditOrder;

interface Needs extends Pick<Stores, 'accounts' | 'catalog' | 'orders' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pixGateway: PixGateway;
  readonly pause: (milliseconds: number) => Promise<void>;
}

interface CreditOrderRequest {
  readonly accountId: string;
  readonly body: {
    readonly packId: string;
    readonly payer?: { readonly name: string; readonly taxId: string; readonly email: string } | undefined;
  };
  readonly idempotency: Idempotency | undefined;
}

/** The minimum time left to pay a new order: a shorter time is too short for anyone to pay. */
const minMs = 60_000;

/**
 * How much longer than its order a charge can be paid. Gateways require that a charge is payable for half an hour from
 * when they receive it, which may be just before the order expires; the reconciliation cancels the charge soon after
 * that.
 */
const chargeExtraMs = 35 * 60_000;

const payableUntilOf = (orderId: string): number => timeOfId(orderId) + pixMinutes * 60_000;

async function payerOf({ accounts }: Needs, { accountId, body: { payer } }: CreditOrderRequest): Promise<Payer> {
  if (payer) {
    const { name, email } = payer;
    const taxId = parseTaxId(payer.taxId);
    return { name, email, ...(taxId && { taxId }) };
  }
  const account = await accounts.find(accountId);
  if (!account) throw new Error('token references a missing account');
  return { name: account.name, email: account.email };
}

/** Whether a charge is payable or paid at the agreed price. */
const isAgreed = ({ payment: { status, cents, currency } }: PixCharge, { priceCents }: PackEntry): boolean =>
  (status === 'pending' || status === 'paid') && cents === priceCents && currency === orderCurrency;

/**
 * Creates the charge. A repeated request creates the same one, because everything in it derives from the order's id and
 * the pack.
 */
async function charge(
  { clock, pixGateway }: Needs,
  { payer, pack }: { readonly payer: Payer; readonly pack: PackEntry },
  orderId: string,
  attempt: Attempt,
): Promise<PixCharge> {
  const payableUntil = payableUntilOf(orderId);
  if (clock.now() + minMs > payableUntil) throw outdated();
  const expiresAt = payableUntil + chargeExtraMs;
  const request = { orderId, cents: pack.priceCents, description: pack.name, payer, expiresAt };
  const made = await respondedBy(pixGateway.createCharge(request), attempt);
  if (isAgreed(made, pack)) return made;
  return rejectOther(attempt, () => pixGateway.cancel(made.payment.paymentId));
}

const orderOf = (
  { accountId }: CreditOrderRequest,
  { id: packId, name: packName, priceCents: cents, credits }: PackEntry,
  { payment, qrCode, qrCodeBase64 }: PixCharge,
  given: Pick<PackOrder, 'orderId' | 'gateway' | 'createdAt'>,
): PackOrder => ({
  ...given,
  type: 'pix_credit_pack',
  accountId,
  // A new order is always pending: if the charge has been paid meanwhile, that is applied like any later change.
  status: 'pending',
  cents,
  credits,
  packId,
  packName,
  chargeId: payment.paymentId,
  qrCode,
  qrCodeBase64,
  payableUntil: payableUntilOf(given.orderId),
});

/**
 * Creates an order for a pack. @throws {Rejection} switched-off, not-found, forbidden, too-many-orders, invalid,
 * dependency-unavailable, in-progress, other-body
 */
export async function createOrder(needs: Needs, request: CreditOrderRequest) {
  const { accountId, body, idempotency } = request;
  await requireAvailable(needs, contract, accountId);
  const creditPacks = await needs.catalog.read(packsRow);
  const pack = creditPacks.find(({ id }) => id === body.packId);
  if (!pack) throw new Rejection('not-found', { message: 'There is no credit pack with this id.' });
  const payer = await payerOf(needs, request);
  const work = {
    isRepeatable: false,
    call: async (orderId: string, attempt: Attempt) => {
      await requireRoom(needs, accountId);
      return { orderId, made: await charge(needs, { payer, pack }, orderId, attempt) };
    },
    commit: ({ orderId, made }: { orderId: string; made: PixCharge }) => {
      const given = { orderId, gateway: needs.pixGateway.name, createdAt: timeOfId(orderId) };
      const order = orderOf(request, pack, made, given);
      const room = { action: takeRoom(accountId, orderId), rejection: noRoom };
      return { writes: [room, { action: insertOrder(order) }], data: presentOrder(order) };
    },
    withdraw: ({ made }: { made: PixCharge }) => withdrawOrLeave(needs.pixGateway.cancel(made.payment.paymentId)),
  };
  return runOnce(needs, { accountId, contract, idempotency }, work).catch(unavailableIfUnanswered);
}
