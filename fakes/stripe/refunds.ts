/** Refunds by the merchant and disputes by the card's bank. */
import * as z from 'zod';
import { Metadata } from './discounts.ts';
import { newDispute } from './new-dispute.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import { type Charge, type Dispute, idOf, type Refund } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';
import { emit, nowIn, type StripeWorld } from './stripe-world.ts';

export const RefundRequest = z
  .strictObject({
    charge: z.string().optional(),
    payment_intent: z.string().optional(),
    amount: z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number)
      .optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: Metadata,
  })
  .refine((request) => (request.charge === undefined) !== (request.payment_intent === undefined), {
    path: ['charge'],
    message: 'One of the following params should be provided for this request: payment_intent or charge.',
  });

function chargeFor({ records }: StripeWorld, request: z.output<typeof RefundRequest>): Charge {
  if (request.charge !== undefined) {
    const charge = records.find('charge', request.charge);
    if (!charge) throw missing('charge', request.charge, 'charge');
    return charge;
  }
  const id = request.payment_intent ?? '';
  const charge = records.find('charge', idOf(records.find('payment_intent', id)?.latest_charge));
  if (!charge) throw missing('payment_intent', id, 'payment_intent');
  return charge;
}

/** Refunds a charge. @throws {StripeFault} if less is left to refund */
export function refund(world: StripeWorld, request: z.output<typeof RefundRequest>): Refund {
  const charge = chargeFor(world, request);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw new StripeFault(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  if (charge.disputed) {
    throw new StripeFault(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const { amount = left, reason = null, metadata } = request;
  if (amount > left) {
    throw new StripeFault(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    });
  }
  const made = world.records.put<Refund>({
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowIn(world),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const refunded = charge.amount_refunded + amount;
  const changed = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount };
  emit(world, 'charge.refunded', world.records.put(changed));
  return made;
}

/** Opens a dispute; undefined if the charge is already disputed or was refunded. */
export function dispute(world: StripeWorld, charge: Charge): Dispute | undefined {
  if (charge.disputed || charge.refunded) return undefined;
  world.records.put({ ...charge, disputed: true });
  const opened = world.records.put(newDispute(charge, nowIn(world)));
  emit(world, 'charge.dispute.created', opened);
  return opened;
}

/** Closes a dispute; undefined if the charge has no open one. */
export function closeDispute(world: StripeWorld, charge: Charge, status: 'won' | 'lost'): Dispute | undefined {
  const open = world.records.all('dispute').find((one) => one.charge === charge.id && one.status === 'needs_response');
  if (!open) return undefined;
  const closed = world.records.put<Dispute>({ ...open, status });
  emit(world, 'charge.dispute.closed', closed);
  return closed;
}
