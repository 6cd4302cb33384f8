/** Adapter to Stripe: subscriptions by its Checkout and Billing. */
import type { Unreadable } from '../changed-since.ts';
import { UnexpectedResponse } from '../parse-response.ts';
import type { SubscriptionGateway, SubscriptionReport } from '../subscription-gateway.ts';
import { createCheckout } from './create-checkout.ts';
import { readSubscription, reportOfSession } from './read-subscription.ts';
import { type StripeClient, type StripeServer, stripeClient, unexpected } from './stripe-client.ts';
import { eventTypes, sessionSubject, subjectOf, verifiedEvent } from './stripe-event.ts';
import { Event, Session, Subscription } from './stripe-objects.ts';

export interface StripeAccess extends StripeServer {
  /** The secrets are read at each use, so that a changed secret needs no restart. */
  readonly webhookSecret: () => Promise<string>;
  /** The URL to which the browser is redirected after a checkout. */
  readonly returnUrl: () => string;
  /** The stage's name; subscriptions of other stages are ignored. */
  readonly stageName: () => string;
  /** The time limit for creating a checkout, which takes up to five exchanges. Default: 20 s. */
  readonly checkoutLimitMs?: number;
}

/** The dependencies of each operation of the gateway. */
interface Needs {
  readonly client: StripeClient;
  readonly stageName: string;
}

type Found = SubscriptionReport | Unreadable;

/**
 * Reads an object. One that is unreadable does not affect the others, but if Stripe does not respond at all, the search
 * ends.
 */
async function reading(subject: string, read: () => Promise<SubscriptionReport | undefined>) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnexpectedResponse) return { subject, error };
    throw error;
  }
}

/** Reports a listed object that cannot be parsed; its id may be missing. */
function ofUnknownForm(listed: unknown, prefix: 'cs' | 'evt'): Unreadable {
  const { id } = Object(listed) as { readonly id?: unknown };
  const isNamed = typeof id === 'string' && new RegExp(`^${prefix}_\\w{1,120}$`).test(id);
  const error = new UnexpectedResponse('Stripe lists an object of an unknown form');
  return { subject: isNamed ? id : `${prefix}_unknown`, error };
}

const isSubscribing = (listed: unknown): boolean =>
  ((Object(listed) as { readonly mode?: unknown }).mode ?? 'subscription') === 'subscription';

/** A range of creation times. */
type Times = { readonly gte: number; readonly lt?: number };

/** Ends a search before its next request. */
class SearchOver extends Error {
  override readonly name = 'SearchOver';
}

async function* untilOver(changes: AsyncGenerator<Found>): AsyncGenerator<Found> {
  try {
    yield* changes;
  } catch (error) {
    if (!(error instanceof SearchOver)) throw error;
  }
}

/** Yields checkouts created in a range of time, including those that were never completed and so caused no events. */
async function* madeIn({ client, stageName }: Needs, created: Times): AsyncGenerator<Found> {
  for await (const listed of client.list('/v1/checkout/sessions', { created }, Number.POSITIVE_INFINITY)) {
    const session = isSubscribing(listed) ? sessionSubject(listed, stageName) : 'irrelevant';
    if (session === 'unreadable') yield ofUnknownForm(listed, 'cs');
    if (typeof session !== 'object') continue;
    const found = await reading(session.subject, () => reportOfSession(client, listed, stageName));
    if (found) yield found;
  }
}

async function* subjectsIn({ client, stageName }: Needs, created: Times): AsyncGenerator<string | Unreadable> {
  const filter = { types: eventTypes, created };
  for await (const listed of client.list('/v1/events', filter, Number.POSITIVE_INFINITY)) {
    const { data: event } = Event.safeParse(listed);
    const found = event ? subjectOf(event, stageName) : 'unreadable';
    if (found === 'unreadable') yield ofUnknownForm(listed, 'evt');
    if (typeof found === 'object') yield found.subject;
  }
}

const namesOf = (found: Found): readonly string[] => [
  found.subject,
  ...('subscription' in found && found.subscription ? [found.subscription.subscriptionId] : []),
];

async function* changedIn(needs: Needs, created: Times): AsyncGenerator<Found> {
  const seen = new Set<string>();
  for await (const found of madeIn(needs, created)) {
    for (const name of namesOf(found)) seen.add(name);
    yield found;
  }
  for await (const subject of subjectsIn(needs, created)) {
    if (typeof subject !== 'string') {
      yield subject;
      continue;
    }
    if (seen.has(subject)) continue;
    seen.add(subject);
    const found = await reading(subject, () => readSubscription(needs.client, subject, needs.stageName));
    if (!found || ('orderId' in found && found.orderId === undefined)) continue;
    if (found.subject !== subject && seen.has(found.subject)) continue;
    for (const name of namesOf(found)) seen.add(name);
    yield found;
  }
}

const hasEnded = (subscription: Subscription | undefined): boolean =>
  !subscription || ['canceled', 'incomplete_expired'].includes(subscription.status);

const isLive = (key: string): boolean => /^[rs]k_live_/.test(key);

/**
 * Creates the gateway. Its functions throw an Error if Stripe does not respond as documented; errors never quote payers
 * or keys.
 */
export function stripeGateway(access: StripeAccess): SubscriptionGateway {
  const { checkoutLimitMs = 20_000, clock, key, returnUrl, stageName, webhookSecret } = access;
  const client = stripeClient(access);
  return {
    name: 'stripe',

    createCheckout(request) {
      const limited = stripeClient(access, { deadline: AbortSignal.timeout(checkoutLimitMs) });
      return createCheckout(limited, request, { stageName: stageName(), returnUrl: returnUrl() });
    },

    read: (subject) => readSubscription(client, subject, stageName()),

    async expireCheckout(checkoutId) {
      const path = `/v1/checkout/sessions/${encodeURIComponent(checkoutId)}`;
      const response = await client.send(`${path}/expire`, { method: 'POST' });
      if (response.status === 200) return;
      const session = await client.find(Session, path);
      if (session?.status === 'open') throw unexpected('the end of a checkout', response);
    },

    async cancel(subscriptionId, when) {
      const path = `/v1/subscriptions/${encodeURIComponent(subscriptionId)}`;
      const response = await client.send(
        path,
        when === 'now' ? { method: 'DELETE' } : { method: 'POST', parameters: { cancel_at_period_end: true } },
      );
      if (response.status === 200) return;
      if (!hasEnded(await client.find(Subscription, path))) throw unexpected('a cancellation', response);
    },

    changedSince(at, until, isOver = () => false) {
      const created = { gte: Math.floor(at / 1000), ...(until !== undefined && { lt: Math.ceil(until / 1000) }) };
      const before = () => {
        if (isOver()) throw new SearchOver();
      };
      return untilOver(changedIn({ client: stripeClient(access, { before }), stageName: stageName() }, created));
    },

    async readEvent(notification) {
      const event = verifiedEvent(notification, await webhookSecret(), clock.now());
      if (typeof event === 'string') return event;
      // Test events are rejected with a live key, and live events with a test key, so that tests cannot affect real
      // money.
      if (!event || event.livemode !== isLive(await key())) return undefined;
      const found = subjectOf(event, stageName());
      return typeof found === 'string' ? found : { eventId: event.id, ...found };
    },
  };
}
