/**
 * A local fake of Mercado Pago's Payments API for PIX: charges, searches, cancellations and signed notifications, and
 * pages on which a user pays by an order's code or lets the payment fail.
 *
 * Assumed, because it is undocumented: the status of a cancellation that comes too late, and that a second payment of a
 * code becomes a separate payment.
 */
import { jsonIn } from '../../shared/platform/json-in.ts';
import { type Answer, type ApiRequest, answered, type Outcome, type Reply, startApiServer } from '../api-server.ts';
import type { EventDelivery, EventSender } from '../event-sender.ts';
import { type PageServer, pageReply } from '../page-server.ts';
import { type Action, type FakePayment, fakePayments } from './fake-payments.ts';
import { notificationIn, type PaymentChange, paymentEventSender, type SentNotification } from './payment-events.ts';
import { paymentPages } from './payment-pages.ts';
import { paymentRecords } from './payment-records.ts';
import { readPaymentRequest } from './payment-request.ts';

/** The outcome of a request; `code` is an error that quotes the rejected value, as the real API may. */
export type MercadoPagoOutcome = Outcome | number | { readonly code: number };

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

export interface MercadoPagoRequest extends Pick<ApiRequest, 'method' | 'path' | 'headers'> {
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

const fault = (status: number, error: string, code: number, description: string): Reply => ({
  status,
  body: { message: description, error, status, cause: [{ code, description }] },
});

const unauthorized = fault(401, 'unauthorized', 7, 'Unauthorized use of live credentials');
const notFound = fault(404, 'not_found', 2000, 'Payment not found');

type Payments = ReturnType<typeof fakePayments>;

function search(payments: Payments, query: URLSearchParams): Reply {
  const limit = Number(query.get('limit') ?? 30);
  const offset = Number(query.get('offset') ?? 0);
  const from = Date.parse(query.get('begin_date') ?? '');
  // The end date may be `NOW`, which sets no limit.
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

function plannedOutcome(outcome: MercadoPagoOutcome, body: string): Outcome {
  if (typeof outcome === 'number') return fault(outcome, 'error', 0, `status ${outcome}`);
  return typeof outcome === 'object' && 'code' in outcome ? fault(400, 'bad_request', outcome.code, body) : outcome;
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
  function answer({ method, path, headers, body, bytes }: ApiRequest): Answer | Promise<Answer> {
    const page = pageReply(pagesOf(fake, sender), { method, path, headers, body, bytes });
    if (page) return page;
    if (headers.authorization !== `Bearer ${token}`) return unauthorized;
    const request = { method, path, headers, body: jsonIn(body) };
    requests.push(request);
    const outcome = plannedOutcome(fake.outcomes.shift() ?? 'done', body);
    return answered(outcome, () => reply(payments, request, now()));
  }
  const server = await startApiServer({ port: options.port, lastPort: records.port(), answer });
  records.setPort(server.port);
  const fake: MercadoPagoFake = {
    url: server.url,
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
      await server.close();
      records.close();
    },
  };
  return fake;
}
