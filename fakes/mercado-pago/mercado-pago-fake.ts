/**
 * A local fake of Mercado Pago's Payments API for PIX: charges, searches, cancellations and signed notifications, and
 * pages on which a user pays by an order's code or lets the payment fail.
 *
 * Assumed, because it is undocumented: the status of a cancellation that comes too late, and that a second payment of a
 * code becomes a separate payment.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { EventDelivery, EventSender } from '../event-sender.ts';
import { closeServer, listenAgain } from '../listen.ts';
import { type PageServer, servePage } from '../page-server.ts';
import { type Action, type FakePayment, fakePayments } from './fake-payments.ts';
import { notificationIn, type PaymentChange, paymentEventSender, type SentNotification } from './payment-events.ts';
import { paymentPages } from './payment-pages.ts';
import { paymentRecords } from './payment-records.ts';
import { readPaymentRequest } from './payment-request.ts';

/** The outcome of a request: done, done without a response, not done, a response that is not JSON, or an error. */
export type MercadoPagoOutcome = 'done' | 'lost' | 'down' | 'page' | number | { readonly code: number };

export interface MercadoPagoFakeOptions {
  readonly token: string;
  readonly webhookSecret: string;
  /** The file that stores payments; by default, they are lost with the process. */
  readonly path?: string;
  /** The port; with 0, the default, that of the last run or any free one. */
  readonly port?: number;
  readonly now?: () => number;
  readonly lateMs?: number;
}

export interface MercadoPagoRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface MercadoPagoFake {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The requests with the right token, oldest first. */
  readonly requests: readonly MercadoPagoRequest[];
  /** One outcome per request; further requests are `done`. */
  readonly outcomes: MercadoPagoOutcome[];
  /** How the events of further changes are delivered. */
  events: EventDelivery;
  payments(): readonly FakePayment[];
  do(id: number, action: Action): FakePayment | undefined;
  /** Sends an event of a payment with the id of the latest event. */
  resend(id: number): Promise<void>;
  /** Resolves with the sent events once all pending ones have been sent. */
  sent(): Promise<readonly SentNotification[]>;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const fault = (status: number, error: string, code: number, description: string): Reply => ({
  status,
  body: { message: description, error, status, cause: [{ code, description }] },
});

const unauthorized = fault(401, 'unauthorized', 7, 'Unauthorized use of live credentials');
const notFound = fault(404, 'not_found', 2000, 'Payment not found');

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

type Payments = ReturnType<typeof fakePayments>;

function search(payments: Payments, query: URLSearchParams): Reply {
  const limit = Number(query.get('limit') ?? 30);
  const offset = Number(query.get('offset') ?? 0);
  const from = Date.parse(query.get('begin_date') ?? '');
  // The value `NOW` means no limit.
  const until = Date.parse(query.get('end_date') ?? '');
  const reference = query.get('external_reference');
  const direction = query.get('criteria') === 'desc' ? -1 : 1;
  const found = payments
    .all()
    .filter((payment) => Number.isNaN(from) || Date.parse(payment.date_last_updated) >= from)
    .filter((payment) => Number.isNaN(until) || Date.parse(payment.date_last_updated) <= until)
    .filter((payment) => reference === null || payment.external_reference === reference)
    .toSorted((one, other) => direction * (Date.parse(one.date_last_updated) - Date.parse(other.date_last_updated)));
  const results = found.slice(offset, offset + limit);
  return { status: 200, body: { paging: { total: found.length, limit, offset }, results } };
}

async function create(payments: Payments, { headers, body }: MercadoPagoRequest, now: number): Promise<Reply> {
  const key = headers['x-idempotency-key'];
  if (typeof key !== 'string') return fault(400, 'bad_request', 4292, "Header X-Idempotency-Key can't be null");
  const request = readPaymentRequest(body, now);
  if ('code' in request) return fault(request.status, 'bad_request', request.code, request.description);
  return { status: 201, body: await payments.create(key, request) };
}

function changeOf(payments: Payments, id: number, body: unknown): Reply {
  if (!payments.find(id)) return notFound;
  if (Object(body).status !== 'cancelled') return fault(400, 'bad_request', 2001, 'Invalid status');
  const canceled = payments.cancel(id);
  return canceled ? { status: 200, body: canceled } : fault(400, 'bad_request', 2018, 'The action is not allowed');
}

async function reply(payments: Payments, request: MercadoPagoRequest, now: number): Promise<Reply> {
  const { method } = request;
  const { pathname, searchParams } = new URL(request.path, 'http://fake');
  if (method === 'POST' && pathname === '/v1/payments') return create(payments, request, now);
  if (method === 'GET' && pathname === '/v1/payments/search') return search(payments, searchParams);
  const [, id] = /^\/v1\/payments\/(\d+)$/.exec(pathname) ?? [];
  if (id === undefined) return fault(404, 'not_found', 1, 'Not found');
  if (method === 'PUT') return changeOf(payments, Number(id), request.body);
  const found = payments.find(Number(id));
  return found ? { status: 200, body: found } : notFound;
}

function send(response: ServerResponse, outcome: MercadoPagoOutcome, { status, body }: Reply): void {
  if (outcome === 'lost') response.destroy();
  else if (outcome === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Serve = (request: MercadoPagoRequest, text: string, response: ServerResponse) => Promise<void>;

function startServer(serve: Serve) {
  return createServer((request, response) => {
    const { method = 'GET', url: path = '', headers } = request;
    text(request)
      .then((body) => serve({ method, path, headers, body: parsed(body) }, body, response))
      .catch(() => response.destroy());
  });
}

function pagesOf(fake: MercadoPagoFake, sender: EventSender<PaymentChange>): PageServer {
  const sent = () => sender.sent().map(notificationIn);
  const routes = paymentPages({
    payments: () => fake.payments(),
    sentEvents: sent,
    do: (id, action) => fake.do(id, action),
    notify: (payment) => sender.send({ payment, action: 'payment.updated' }, fake.events),
  });
  return { host: fake, standIn: 'the app of a bank', promise: 'no money moves here', routes, sent };
}

export async function startMercadoPagoFake(options: MercadoPagoFakeOptions): Promise<MercadoPagoFake> {
  const { token, webhookSecret, now = Date.now, lateMs = 5000 } = options;
  const requests: MercadoPagoRequest[] = [];
  const sender = paymentEventSender({ path: options.path, secret: webhookSecret, now, lateMs });
  const records = paymentRecords(options.path);
  const payments = fakePayments({
    records,
    now,
    pageUrl: (id) => `${fake.url}/payments/${id}`,
    onChange: (payment, action) => sender.send({ payment, action }, fake.events),
  });
  const server = startServer(async (request, body, response) => {
    if (servePage(pagesOf(fake, sender), { ...request, body }, response)) return;
    if (request.headers.authorization !== `Bearer ${token}`) return send(response, 'done', unauthorized);
    requests.push(request);
    const outcome = fake.outcomes.shift() ?? 'done';
    if (outcome === 'down') response.destroy();
    // Quotes the rejected value, as the real API may.
    else if (typeof outcome === 'object') send(response, 'done', fault(400, 'bad_request', outcome.code, body));
    else if (typeof outcome === 'number') send(response, 'done', fault(outcome, 'error', 0, `status ${outcome}`));
    else send(response, outcome, await reply(payments, request, now()));
  });
  const port = await listenAgain(server, options.port, records.port());
  records.setPort(port);
  const fake: MercadoPagoFake = {
    url: `http://127.0.0.1:${port}`,
    requests,
    outcomes: [],
    events: 'at once',
    payments: () => payments.all(),
    do: (id, action) => payments.do(id, action),
    async resend(id) {
      const payment = payments.find(id);
      if (payment) await sender.resend({ payment, action: 'payment.updated' });
    },
    sent: async () => (await sender.allSent()).map(notificationIn),
    async close() {
      sender.close();
      await closeServer(server);
      records.close();
    },
  };
  return fake;
}
