/** Reads a whole subscription, starting from the id of any object that belongs to it. */
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

/** The object to read next; or the creation time of an object that belongs to no subscription. */
type Lead = { readonly to: string } | { readonly createdAt: number };

/**
 * When an object was created; an impossible time is replaced by the time of its order, so that it is the same on every
 * read.
 */
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

/** How to find the subscription, by the prefix of an object's id; charges and disputes have two prefixes each. */
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

/** Statuses that count as past due: Stripe still tries to collect, has stopped trying, or was told to pause. */
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

/** Reports on a checkout; a completed one has a subscription, which must be read. @throws {Error} */
async function reportOf(client: StripeClient, session: Session, stageName: string): Promise<SubscriptionReport> {
  // Other kinds of checkouts are ignored, whatever they refer to.
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

/** Reports on a checkout session as it appears in a list. @throws {Error} */
export const reportOfSession = async (
  client: StripeClient,
  value: unknown,
  stageName: string,
): Promise<SubscriptionReport> => reportOf(client, parseStripe(Session, value), stageName);

/** Reports on a subscription; the subject of the report is the checkout that created it. */
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

/** The longest way: from a dispute to its charge, its payment intent, its invoice and its subscription. */
const mostLeads = 4;

/** Reads a subscription; undefined if the object does not exist. @throws {Error} */
export async function readSubscription(
  client: StripeClient,
  subject: string,
  stageName: string,
  leadsLeft: number = mostLeads,
): Promise<SubscriptionReport | undefined> {
  const [, kind = ''] = /^(cs|sub|in|pi|ch|py|dp|du)_\w{1,200}$/.exec(subject) ?? [];
  if (kind === 'sub') return reportOfSubscription(client, subject, stageName);
  if (kind === 'cs') {
    const session = await client.find(Session, `/v1/checkout/sessions/${subject}`);
    return session && reportOf(client, session, stageName);
  }
  const lead = await leads[kind]?.(client, subject);
  if (!lead) return undefined;
  if ('to' in lead) {
    if (leadsLeft === 0) throw new UnexpectedResponse('Stripe reports objects that lead to no subscription');
    return readSubscription(client, lead.to, stageName, leadsLeft - 1);
  }
  return { subject, orderId: undefined, createdAt: lead.createdAt, checkout: 'completed' };
}
