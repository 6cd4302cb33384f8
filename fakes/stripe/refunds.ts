/** Refunds and disputes of charges. */
import { StripeFault } from './stripe-fault.ts';
import type { Charge, Dispute } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';
import { emit, nowIn, type StripeWorld } from './stripe-world.ts';

/** Refunds a charge, by default all that is left of it. @throws {StripeFault} if less is left to refund */
export function refund(world: StripeWorld, charge: Charge, given?: number): void {
  const left = charge.amount - charge.amount_refunded;
  const { id, disputed } = charge;
  if (left === 0) throw new StripeFault(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (disputed) throw new StripeFault(`Charge ${id} has been charged back.`, { code: 'charge_disputed' });
  const amount = given ?? left;
  if (amount > left) throw new StripeFault(`Refund amount (${amount}) is greater than ${left}`, { param: 'amount' });
  const refunded = charge.amount_refunded + amount;
  const changed = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount };
  emit(world, 'charge.refunded', world.records.put(changed));
}

/** Opens a dispute, unless the charge is already disputed or was refunded. */
export function dispute(world: StripeWorld, charge: Charge): void {
  if (charge.disputed || charge.refunded) return;
  world.records.put({ ...charge, disputed: true });
  const { id, amount, amount_refunded: refunded, currency, payment_intent } = charge;
  const opened = world.records.put<Dispute>({
    id: newId('du'),
    object: 'dispute',
    amount: amount - refunded,
    charge: id,
    created: nowIn(world),
    currency,
    payment_intent,
    status: 'needs_response',
  });
  emit(world, 'charge.dispute.created', opened);
}

/** Closes a dispute, if the charge has an open one. */
export function closeDispute(world: StripeWorld, charge: Charge, status: 'won' | 'lost'): void {
  const open = world.records.all('dispute').find((one) => one.charge === charge.id && one.status === 'needs_response');
  if (open) emit(world, 'charge.dispute.closed', world.records.put<Dispute>({ ...open, status }));
}
