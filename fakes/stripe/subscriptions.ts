/** Changes subscriptions: by the merchant's requests, the subscriber's card and time. */
import { invoicesOf, issueInvoice, periodEnd, settleInvoice, subscriptionOf } from './invoices.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import { type Invoice, itemOf, type Subscription } from './stripe-objects.ts';
import { advanceClock, clockOf, detailsOf, emit, type StripeWorld, setDetails } from './stripe-world.ts';
import { cardWith } from './test-cards.ts';

type Changes = Partial<Subscription>;

/** Finds a subscription. @throws {StripeFault} if it does not exist */
function subscriptionNamed({ records }: StripeWorld, id: string): Subscription {
  const found = records.find('subscription', id);
  if (!found) throw missing('subscription', id);
  return found;
}

function change(world: StripeWorld, id: string, changes: Changes): Subscription {
  const changed = world.records.put({ ...subscriptionNamed(world, id), ...changes });
  emit(world, 'customer.subscription.updated', changed);
  return changed;
}

function end(world: StripeWorld, subscription: Subscription, at: number): Subscription {
  const { canceled_at, id } = subscription;
  const ended = world.records.put({
    ...subscriptionNamed(world, id),
    status: 'canceled',
    canceled_at: canceled_at ?? at,
    ended_at: at,
  });
  emit(world, 'customer.subscription.deleted', ended);
  return ended;
}

/** Sends an event, although nothing has changed. */
export const notifyOf = (world: StripeWorld, id: string): Subscription => change(world, id, {});

const isRunning = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due';

/** Cancels a subscription; one that is already canceled can be found but not canceled again. */
export function cancelNow(world: StripeWorld, id: string): Subscription {
  const subscription = subscriptionNamed(world, id);
  if (!isRunning(subscription)) throw missing('subscription', id);
  return end(world, subscription, clockOf(world, subscription));
}

export function cancelAtPeriodEnd(world: StripeWorld, id: string, isEnding: boolean): Subscription {
  const subscription = subscriptionNamed(world, id);
  if (!isRunning(subscription)) {
    throw new StripeFault('A canceled subscription can only update its cancellation_details and metadata.');
  }
  return change(world, id, {
    cancel_at_period_end: isEnding,
    cancel_at: isEnding ? itemOf(subscription).current_period_end : null,
    canceled_at: isEnding ? clockOf(world, subscription) : null,
  });
}

function nextPeriod(subscription: Subscription): Subscription['items'] {
  const item = itemOf(subscription);
  const start = item.current_period_end;
  const next = {
    ...item,
    current_period_start: start,
    current_period_end: periodEnd(subscription.billing_cycle_anchor, start, item.price.recurring.interval),
  };
  return { data: [next] };
}

/** Charges for the next period, once the current one is over. */
function startNextPeriod(world: StripeWorld, subscription: Subscription, isPaid: boolean): void {
  const moved = world.records.put({ ...subscription, items: nextPeriod(subscription) });
  const invoice = issueInvoice(world, moved, 'subscription_cycle');
  if (isPaid || invoice.amount_due === 0) settleInvoice(world, invoice);
  else emit(world, 'invoice.payment_failed', invoice);
  change(world, moved.id, isPaid ? {} : { status: 'past_due' });
}

/** Moves the subscription's clock to the end of its period, where it is renewed or ends. */
export function renew(world: StripeWorld, id: string, outcome?: 'pay' | 'fail'): void {
  const subscription = subscriptionNamed(world, id);
  if (subscription.status !== 'active') return;
  const { current_period_end: endsAt } = itemOf(subscription);
  advanceClock(world, subscription, endsAt);
  if (subscription.cancel_at_period_end) {
    end(world, subscription, endsAt);
    return;
  }
  const isPaid = (outcome ?? cardWith(detailsOf(world, id)?.card ?? '')?.renewals) === 'pay';
  startNextPeriod(world, subscription, isPaid);
}

/** Renews all subscriptions whose period has ended. */
export function settleTime(world: StripeWorld): void {
  const due = world.records.all('subscription').filter(({ status }) => status === 'active');
  for (const { id } of due) {
    let subscription = subscriptionNamed(world, id);
    while (
      subscription.status === 'active' &&
      itemOf(subscription).current_period_end <= clockOf(world, subscription)
    ) {
      renew(world, id);
      subscription = subscriptionNamed(world, id);
    }
  }
}

export function advance(world: StripeWorld, id: string, days: number): void {
  const subscription = subscriptionNamed(world, id);
  advanceClock(world, subscription, clockOf(world, subscription) + days * 86_400);
  settleTime(world);
}

/** The subscriber pays with a valid card, which is charged from then on. */
export function payOpenInvoice(world: StripeWorld, id: string): Invoice | undefined {
  const open = invoicesOf(world, id).filter(({ status }) => status === 'open');
  const [newest] = open;
  if (!newest) return undefined;
  setDetails(world, id, { card: '4242424242424242' });
  const paid = settleInvoice(world, newest);
  const subscription = subscriptionOf(world, newest);
  if (subscription?.status === 'past_due' && open.length === 1) change(world, id, { status: 'active' });
  return paid;
}

/** The last attempt to charge the card has failed. */
export function giveUp(world: StripeWorld, id: string): void {
  const subscription = subscriptionNamed(world, id);
  if (subscription.status === 'past_due') end(world, subscription, clockOf(world, subscription));
}
