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
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type EventDelivery, eventSender, type SentEvent } from '../event-sender.ts';
import { closeServer, listenAgain } from '../listen.ts';
import { type PageServer, servePage } from '../page-server.ts';
import { checkoutPages } from './checkout-pages.ts';
import { findSession, paySession } from './checkout-sessions.ts';
import { readParameters } from './form-parameters.ts';
import { onceFor, type Reply } from './idempotent-requests.ts';
import { perform } from './stripe-api.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import type { Session, StripeEvent } from './stripe-objects.ts';
import { stripeRecords } from './stripe-records.ts';
import { apiVersion, type StripeWorld } from './stripe-world.ts';
import { doToSubscription, type SubscriptionAction } from './subscription-actions.ts';
import { subscriptionPages } from './subscription-pages.ts';
import { settleTime } from './subscriptions.ts';

/**
 * The outcome of a request: done, done without a response, not done, a response that is not JSON, or an error status.
 */
export type StripeOutcome = 'done' | 'lost' | 'down' | 'page' | number;

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

export interface StripeRequest {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface StripeFake {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The API requests with the right key, oldest first. */
  readonly requests: readonly StripeRequest[];
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

function requireHeaders({ authorization, 'stripe-version': version }: IncomingMessage['headers'], key: string): void {
  if (authorization !== `Bearer ${key}`) {
    throw new StripeFault('Invalid API Key provided.', { status: 401 });
  }
  if (version !== apiVersion) {
    throw new StripeFault(`Invalid Stripe API version: ${String(version)}. This sandbox speaks ${apiVersion}.`);
  }
}

function replyTo(world: StripeWorld, { method, path, headers, body }: StripeRequest): Reply {
  const url = new URL(path, 'http://fake');
  if (method === 'POST' && body !== '' && !headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw new StripeFault('Invalid request (check that your POST content type is application/x-www-form-urlencoded).');
  }
  const parameters = readParameters(method === 'POST' ? new URLSearchParams(body) : url.searchParams);
  const work = () => ({ status: 200, body: perform(world, { method, path: url.pathname, parameters }) });
  const key = headers['idempotency-key'];
  if (method !== 'POST' || typeof key !== 'string') return work();
  return onceFor(world.records, { key, path: url.pathname, form: body }, work);
}

function send(response: ServerResponse, outcome: StripeOutcome, { status, body, headers }: Reply): void {
  if (outcome === 'lost') response.destroy();
  else if (outcome === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
  else {
    response
      .writeHead(status, { 'content-type': 'application/json', 'stripe-version': apiVersion, ...headers })
      .end(JSON.stringify(body));
  }
}

interface Desk {
  readonly world: StripeWorld;
  readonly pages: PageServer;
  readonly requests: StripeRequest[];
  readonly outcomes: StripeOutcome[];
  readonly key: string;
}

const faultReply = (status: number): Reply => ({
  status,
  body: { error: { type: status < 500 ? 'invalid_request_error' : 'api_error', message: `Status ${status}.` } },
});

function attempt(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof StripeFault) return { status: error.status, body: error.body };
    throw error;
  }
}

function respondToApi(
  { world, requests, outcomes, key }: Desk,
  request: StripeRequest,
  response: ServerResponse,
): void {
  const rejection = attempt(() => {
    requireHeaders(request.headers, key);
    return { status: 200, body: undefined };
  });
  if (rejection.status !== 200) {
    send(response, 'done', rejection);
    return;
  }
  requests.push(request);
  const outcome = outcomes.shift() ?? 'done';
  if (outcome === 'down') response.destroy();
  else if (typeof outcome === 'number') send(response, 'done', faultReply(outcome));
  else
    send(
      response,
      outcome,
      attempt(() => replyTo(world, request)),
    );
}

function respond(desk: Desk, request: StripeRequest, response: ServerResponse): void {
  settleTime(desk.world);
  const url = new URL(request.path, 'http://fake');
  if (url.pathname.startsWith('/v1/')) {
    respondToApi(desk, request, response);
    return;
  }
  if (!servePage(desk.pages, request, response)) response.writeHead(404).end('There is no such page.\n');
}

const startServer = (desk: Desk) =>
  createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    text(request)
      .then((body) => respond(desk, { method, path, headers, body }, response))
      .catch(() => response.destroy());
  });

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
  const server = startServer(desk);
  const port = await listenAgain(server, options.port, records.find('sandbox.address', 'sandbox.address')?.port);
  records.put({ object: 'sandbox.address', id: 'sandbox.address', port });
  url = `http://127.0.0.1:${port}`;
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
      await closeServer(server);
      records.close();
    },
  };
}
