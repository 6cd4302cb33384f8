/** Everything that the service wants to know of a subscription, from whichever of its objects it is asked for. */
import { type ClaimedTime, earliestClaim } from '../../platform/claimed-time.ts';
import { timeOfId } from '../../platform/ids.ts';
import { orderIdIn } from '../order-reference.ts';
import { UnexpectedResponse } from '../parse-response.ts';
import type { ReportedSubscription, SubscriptionReport } from '../subscription-gateway.ts';
import { parseStripe, type StripeClient } from './stripe-client.ts';
import {
  Charge,
  Dispute,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  referenceName,
  Session,
  Subscription,
} from './stripe-objects.ts';
import { paidInvoicesOf } from './subscription-invoices.ts';

/** Where to read on; a time, if the object belongs to no subscription, and is that old. */
type Lead = { readonly to: string } | { readonly createdAt: number };

/** When an object was made; what cannot be true is replaced by the time of its order, the same however often it is read. */
const madeAt = (client: StripeClient, created: ClaimedTime, orderId?: string): number =>
  created.pastBy(client.now()) ?? (orderId === undefined ? earliestClaim : timeOfId(orderId));

const leadTo = (client: StripeClient, id: string | null | undefined, created: ClaimedTime): Lead =>
  id ? { to: id } : { createdAt: madeAt(client, created) };

async function leadOfIntent(client: StripeClient, id: string): Promise<Lead | undefined> {
  const filter = { payment: { type: 'payment_intent', payment_intent: id } };
  const { value } = await client.list('/v1/invoice_payments', filter).next();
  if (value) return { to: parseStripe(InvoicePayment, value).invoice };
  const intent = await client.find(PaymentIntent, `/v1/payment_intents/${id}`);
  return intent && leadTo(client, undefined, intent.created);
}

async function leadOfCharge(client: StripeClient, id: string): Promise<Lead | undefined> {
  const charge = await client.find(Charge, `/v1/charges/${id}`);
  return charge && leadTo(client, charge.payment_intent, charge.created);
}

async function leadOfDispute(client: StripeClient, id: string): Promise<Lead | undefined> {
  const dispute = await client.find(Dispute, `/v1/disputes/${id}`);
  return dispute && { to: dispute.charge };
}

/** By what ids begin with; charges and disputes have had two names. */
const leads: Readonly<Record<string, (client: StripeClient, id: string) => Promise<Lead | undefined>>> = {
  async in(client, id) {
    const invoice = await client.find(Invoice, `/v1/invoices/${id}`);
    return invoice && leadTo(client, invoice.parent?.subscription_details?.subscription, invoice.created);
  },
  pi: leadOfIntent,
  ch: leadOfCharge,
  py: leadOfCharge,
  dp: leadOfDispute,
  du: leadOfDispute,
};

/** With those that count as past due, Stripe still tries to collect, has stopped trying, or was told to wait. */
const statuses: Readonly<Record<Subscription['status'], ReportedSubscription['status']>> = {
  active: 'active',
  trialing: 'active',
  incomplete: 'unpaid',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
};

function isEnding({ cancel_at: at, cancel_at_period_end: isMarked, items }: Subscription): boolean {
  const periodEnd = Math.max(...items.data.map(({ current_period_end: end }) => end));
  return isMarked || (typeof at === 'number' && at <= periodEnd);
}

async function reportedSubscription(client: StripeClient, found: Subscription): Promise<ReportedSubscription> {
  const invoices = await paidInvoicesOf(client, found);
  const known = statuses[found.status];
  const status = known !== 'canceled' && invoices.length === 0 ? 'unpaid' : known;
  return { subscriptionId: found.id, status, isEnding: status !== 'canceled' && isEnding(found), invoices };
}

const checkoutOf = { open: 'open', complete: 'completed', expired: 'expired' } as const;

/** A completed one has a subscription, which has to be read. @throws {Error} */
async function reportOf(client: StripeClient, session: Session, stageName: string): Promise<SubscriptionReport> {
  // Other kinds of checkouts are not this service's, whatever they refer to.
  const isOwn = (session.mode ?? 'subscription') === 'subscription';
  const orderId = isOwn ? orderIdIn(session.client_reference_id ?? '', stageName) : undefined;
  const checkout = checkoutOf[session.status];
  const report = { subject: session.id, orderId, createdAt: madeAt(client, session.created, orderId), checkout };
  if (orderId === undefined || checkout !== 'completed') return report;
  const path = `/v1/subscriptions/${session.subscription ?? ''}`;
  const subscription = session.subscription && (await client.find(Subscription, path));
  if (!subscription) throw new UnexpectedResponse('Stripe completed a checkout without a subscription');
  return { ...report, subscription: await reportedSubscription(client, subscription) };
}

/** A session as it is in a list. @throws {Error} */
export const reportOfSession = async (
  client: StripeClient,
  value: unknown,
  stageName: string,
): Promise<SubscriptionReport> => reportOf(client, parseStripe(Session, value), stageName);

/** The checkout by which it was made gives the report its name. */
async function reportOfSubscription(
  client: StripeClient,
  subject: string,
  stageName: string,
): Promise<SubscriptionReport | undefined> {
  const found = await client.find(Subscription, `/v1/subscriptions/${subject}`);
  if (!found) return undefined;
  const orderId = orderIdIn(found.metadata?.[referenceName] ?? '', stageName);
  const plain = { subject, orderId, createdAt: madeAt(client, found.created, orderId), checkout: 'completed' } as const;
  if (orderId === undefined) return plain;
  const { value } = await client.list('/v1/checkout/sessions', { subscription: subject }).next();
  const session = value ? parseStripe(Session, value) : undefined;
  const origin = session && { subject: session.id, createdAt: madeAt(client, session.created, orderId) };
  return { ...plain, ...origin, subscription: await reportedSubscription(client, found) };
}

/** Undefined if there is no such object. @throws {Error} */
export async function readSubscription(
  client: StripeClient,
  subject: string,
  stageName: string,
): Promise<SubscriptionReport | undefined> {
  const [, kind = ''] = /^(cs|sub|in|pi|ch|py|dp|du)_\w{1,200}$/.exec(subject) ?? [];
  if (kind === 'sub') return reportOfSubscription(client, subject, stageName);
  if (kind === 'cs') {
    const session = await client.find(Session, `/v1/checkout/sessions/${subject}`);
    return session && reportOf(client, session, stageName);
  }
  const lead = await leads[kind]?.(client, subject);
  if (!lead) return undefined;
  if ('to' in lead) return readSubscription(client, lead.to, stageName);
  return { subject, orderId: undefined, createdAt: lead.createdAt, checkout: 'completed' };
}
