/**
 * A local fake of Stripe's API, as far as subscriptions with a hosted checkout need it: checkout sessions,
 * subscriptions, invoices, payments, refunds, disputes, coupons and signed events, and pages on which a user
 * subscribes, renews and cancels. Objects, parameters and errors are those of one version of the API.
 *
 * - `Stripe-Version` is required, so that no request depends on an account's default version.
 * - A renewal is charged at the end of the period instead of an hour later, and a failed one is not retried
 *   automatically.
 * - After a payment, the page does not redirect to `success_url`, but links to it and to the subscription's page.
 */

import { createHmac } from 'node:crypto';
import {
  type Answer,
  type ApiRequest,
  answered,
  attempted,
  html,
  type Outcome,
  type Reply,
  startApiServer,
} from '../api-server.ts';
import { type EventDelivery, eventSender, type SentEvent } from '../event-sender.ts';
import { formIn } from '../form-in.ts';
import { type PageServer, pageReply } from '../page-server.ts';
import { checkoutPages } from './checkout-pages.ts';
import { findSession, paySession } from './checkout-sessions.ts';
import { readParameters } from './form-parameters.ts';
import { onceFor } from './idempotent-requests.ts';
import { perform } from './stripe-api.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import type { Session, StripeEvent } from './stripe-objects.ts';
import { stripeRecords } from './stripe-records.ts';
import { apiVersion, type StripeWorld } from './stripe-world.ts';
import { doToSubscription, type SubscriptionAction } from './subscription-actions.ts';
import { subscriptionPages } from './subscription-pages.ts';
import { settleTime } from './subscriptions.ts';

/** The planned outcome of a request, or an error status. */
export type StripeOutcome = Outcome | number;

export interface StripeFakeOptions {
  readonly key: string;
  readonly webhookSecret: string;
  /** The URL to which events are sent; none by default. */
  readonly webhookUrl?: string;
  /** The file that stores everything; by default, it is lost with the process. */
  readonly path?: string;
  /** The port; with 0, the default, that of the last run or any free one. */
  readonly port?: number;
  readonly now?: () => number;
  readonly lateMs?: number;
}

export interface StripeFake {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The API requests with the right key, oldest first. */
  readonly requests: readonly ApiRequest[];
  /** One outcome per API request; further requests are `done`. */
  readonly outcomes: StripeOutcome[];
  /** How the events of further changes are delivered. */
  events: EventDelivery;
  /** Pays a checkout; returns the reason if the card is declined. */
  pay(sessionId: string, card?: string): Session | { readonly declineCode: string };
  do(subscriptionId: string, action: SubscriptionAction, days?: number): void;
  /** Sends an event again. */
  resend(eventId: string): Promise<void>;
  /** Resolves with the sent events once all pending ones have been sent. */
  sent(): Promise<readonly SentEvent<StripeEvent>[]>;
  close(): Promise<void>;
}

const signatureOf = (secret: string, signedAt: number, body: string): string => {
  const t = Math.floor(signedAt / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

const senderFor = ({ path, webhookSecret, webhookUrl, now = Date.now, lateMs = 5000 }: StripeFakeOptions) =>
  eventSender<StripeEvent>({
    path,
    secret: webhookSecret,
    now,
    lateMs,
    requestFor(event, _eventId, { secret, signedAt }) {
      if (webhookUrl === undefined) return undefined;
      const body = JSON.stringify(event, null, 2);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureOf(secret, signedAt, body),
      };
      return { url: webhookUrl, headers, body };
    },
  });

function requireHeaders({ authorization, 'stripe-version': version }: ApiRequest['headers'], key: string): undefined {
  if (authorization !== `Bearer ${key}`) {
    throw new StripeFault('Invalid API Key provided.', { status: 401 });
  }
  if (version !== apiVersion) {
    throw new StripeFault(`Invalid Stripe API version: ${String(version)}. This sandbox speaks ${apiVersion}.`);
  }
}

function replyTo(world: StripeWorld, { method, path, headers, body }: ApiRequest): Reply {
  const url = new URL(path, 'http://fake');
  if (method === 'POST' && body !== '' && !headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw new StripeFault('Invalid request (check that your POST content type is application/x-www-form-urlencoded).');
  }
  const parameters = readParameters(method === 'POST' ? formIn(body) : url.searchParams);
  const work = () => ({ status: 200, body: perform(world, { method, path: url.pathname, parameters }) });
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined) return work();
  return onceFor(world.records, { key, path: url.pathname, form: body }, work);
}

interface Desk {
  readonly world: StripeWorld;
  readonly pages: PageServer;
  readonly requests: ApiRequest[];
  readonly outcomes: StripeOutcome[];
  readonly key: string;
}

const faultReply = (status: number): Reply => ({
  status,
  body: { error: { type: status < 500 ? 'invalid_request_error' : 'api_error', message: `Status ${status}.` } },
});

async function answerToApi({ world, requests, outcomes, key }: Desk, request: ApiRequest): Promise<Answer> {
  const faultIn = (error: unknown) =>
    error instanceof StripeFault ? { status: error.status, body: error.body } : undefined;
  const isRejected = await attempted(() => requireHeaders(request.headers, key), faultIn);
  if (isRejected) return isRejected;
  requests.push(request);
  const outcome = outcomes.shift() ?? 'done';
  return answered(typeof outcome === 'number' ? faultReply(outcome) : outcome, () =>
    attempted(() => replyTo(world, request), faultIn),
  );
}

async function answerTo(desk: Desk, request: ApiRequest): Promise<Answer> {
  settleTime(desk.world);
  if (!request.path.startsWith('/v1/')) {
    return pageReply(desk.pages, request) ?? html(404, 'There is no such page.\n');
  }
  const answer = await answerToApi(desk, request);
  return typeof answer === 'string'
    ? answer
    : { ...answer, headers: { 'stripe-version': apiVersion, ...answer.headers } };
}

function openDesk(options: StripeFakeOptions, urlOf: (path: string) => string) {
  const sender = senderFor(options);
  const records = stripeRecords(options.path);
  const world: StripeWorld = {
    records,
    now: options.now ?? Date.now,
    pageUrl: urlOf,
    onEvent: (event) => sender.send(event, pages.host.events),
  };
  const pages: PageServer = {
    host: { events: 'at once' },
    standIn: 'Stripe',
    promise: 'no money moves here',
    routes: [...checkoutPages(world), ...subscriptionPages(world, () => sender.sent())],
    sent: () => sender.sent().map(({ change: { id: eventId, type }, ...request }) => ({ eventId, type, ...request })),
  };
  const desk: Desk = { world, pages, requests: [], outcomes: [], key: options.key };
  return { desk, sender };
}

export async function startStripeFake(options: StripeFakeOptions): Promise<StripeFake> {
  let url = '';
  const { desk, sender } = openDesk(options, (path) => url + path);
  const { world, pages, requests, outcomes } = desk;
  const { records } = world;
  const lastPort = records.find('sandbox.address', 'sandbox.address')?.port;
  const server = await startApiServer({ port: options.port, lastPort, answer: (request) => answerTo(desk, request) });
  records.put({ object: 'sandbox.address', id: 'sandbox.address', port: server.port });
  url = server.url;
  return {
    url,
    requests,
    outcomes,
    get events() {
      return pages.host.events;
    },
    set events(outcome) {
      pages.host.events = outcome;
    },
    pay(sessionId, card = '4242424242424242') {
      const session = findSession(world, sessionId);
      if (session?.status !== 'open') throw missing('checkout.session', sessionId);
      return paySession(world, session, { number: card, email: 'subscriber@example.com' });
    },
    do: (subscriptionId, action, days) => doToSubscription(world, subscriptionId, action, days),
    async resend(eventId) {
      const event = records.find('event', eventId);
      if (event) await sender.resend(event);
    },
    sent: () => sender.allSent(),
    async close() {
      sender.close();
      await server.close();
      records.close();
    },
  };
}
