/** The requests that the sandbox supports, and the objects that it responds with. */
import * as z from 'zod';
import { CheckoutRequest } from './checkout-request.ts';
import { createSession, expireSession, findSession } from './checkout-sessions.ts';
import { CouponRequest, createCoupon, createPromotionCode, Flag, PromotionCodeRequest } from './discounts.ts';
import { type Parameters, parameterNamed } from './form-parameters.ts';
import { paymentsOf } from './invoices.ts';
import { listPage, Page } from './lists.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import type { Invoice, StripeObjects } from './stripe-objects.ts';
import { nowIn, type StripeWorld } from './stripe-world.ts';
import { cancelAtPeriodEnd, cancelNow } from './subscriptions.ts';

export interface ApiRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The parameters of the query or the body. */
  readonly parameters: Parameters;
}

type Handler = (world: StripeWorld, parameters: Parameters, id: string) => object;
type Kind = keyof StripeObjects;

const codes: Readonly<Record<string, string>> = { unrecognized_keys: 'parameter_unknown' };

function faultOf(issue: z.core.$ZodIssue): StripeFault {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const param = parameterNamed(path);
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  if (isMissing) return new StripeFault(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  const code = codes[issue.code];
  if (code) return new StripeFault(`Received unknown parameter: ${param}`, { code, param });
  return new StripeFault(issue.code === 'custom' ? issue.message : `Invalid ${param}: ${issue.message}`, { param });
}

function read<Form extends z.ZodType>(form: Form, parameters: Parameters): z.output<Form> {
  const { data, error } = form.safeParse(parameters, { reportInput: true });
  const [issue] = error?.issues ?? [];
  if (issue) throw faultOf(issue);
  return data as z.output<Form>;
}

const retrieve =
  (kind: Kind): Handler =>
  ({ records }, parameters, id) => {
    read(z.strictObject({}), parameters);
    const found = records.find(kind, id);
    if (!found) throw missing(kind, id);
    return found;
  };

/** A list of objects; `filters` are the fields by which it can be filtered. */
const list =
  (kind: Kind, url: string, filters: readonly string[] = []): Handler =>
  (world, parameters) => {
    const fields = Object.fromEntries(filters.map((name) => [name, z.string().optional()]));
    const { limit, starting_after, created, ...wanted } = read(
      z.strictObject({ ...Page.shape, ...fields }),
      parameters,
    );
    const objects = world.records
      .all(kind)
      .filter((object) => Object.entries(wanted).every(([name, value]) => fieldOf(object, name) === value));
    return listPage(objects, { limit, starting_after, created }, { kind, url });
  };

/** The text of a field; an invoice's subscription is nested more deeply. */
function fieldOf(object: object, name: string): string {
  const { parent, [name]: value } = object as Record<string, unknown> & Partial<Pick<Invoice, 'parent'>>;
  return String(name === 'subscription' && parent ? parent.subscription_details.subscription : value);
}

const Expand = z.tuple([z.literal('data.payments')]).optional();

/** A list of invoices, which contain their payments only on request. */
const listInvoices: Handler = (world, { expand, ...parameters }, id) => {
  const url = '/v1/invoices';
  const page = list('invoice', url, ['status', 'subscription'])(world, parameters, id) as ReturnType<typeof listPage>;
  if (!read(z.object({ expand: Expand }), { ...(expand !== undefined && { expand }) }).expand) return page;
  const withPayments = (invoice: object) => {
    const data = paymentsOf(world, (invoice as Invoice).id);
    return { ...invoice, payments: { object: 'list', data, has_more: false, url: '/v1/invoice_payments' } };
  };
  return { ...page, data: page.data.map(withPayments) };
};

const SubscriptionChange = z.strictObject({ cancel_at_period_end: Flag });

const listSubscriptions: Handler = (world, { status, ...parameters }, id) => {
  read(z.object({ status: z.literal('all') }), { ...(status !== undefined && { status }) });
  return list('subscription', '/v1/subscriptions', ['customer'])(world, parameters, id);
};

const changePromotionCode: Handler = ({ records }, parameters, id) => {
  const found = records.find('promotion_code', id);
  if (!found) throw missing('promotion_code', id);
  return records.put({ ...found, ...read(z.strictObject({ active: Flag }), parameters) });
};

const PaymentFilter = z.strictObject({ type: z.literal('payment_intent'), payment_intent: z.string() });

const listInvoicePayments: Handler = (world, parameters) => {
  const { invoice, payment, ...page } = read(
    z.strictObject({ ...Page.shape, invoice: z.string().optional(), payment: PaymentFilter.optional() }),
    parameters,
  );
  const found = world.records
    .all('invoice_payment')
    .filter((one) => invoice === undefined || one.invoice === invoice)
    .filter((one) => payment === undefined || one.payment.payment_intent === payment.payment_intent);
  return listPage(found, page, { kind: 'invoice_payment', url: '/v1/invoice_payments' });
};

const listEvents: Handler = (world, parameters) => {
  const { types, ...page } = read(
    z.strictObject({ ...Page.shape, types: z.array(z.string()).max(20).optional() }),
    parameters,
  );
  const found = world.records.all('event').filter((event) => types?.includes(event.type) ?? true);
  return listPage(found, page, { kind: 'event', url: '/v1/events' });
};

const retrieveSession: Handler = (world, parameters, id) => {
  findSession(world, id);
  return retrieve('checkout.session')(world, parameters, id);
};

const listSessions: Handler = (world, parameters, id) => {
  for (const session of world.records.all('checkout.session')) findSession(world, session.id);
  return list('checkout.session', '/v1/checkout/sessions', ['subscription'])(world, parameters, id);
};

/** Handlers by method and path, in which `*` stands for an id. */
const handlers: Readonly<Record<string, Handler>> = {
  'POST /v1/checkout/sessions': (world, parameters) => createSession(world, read(CheckoutRequest, parameters)),
  'GET /v1/checkout/sessions': listSessions,
  'GET /v1/checkout/sessions/*': retrieveSession,
  'POST /v1/checkout/sessions/*/expire': (world, _parameters, id) => expireSession(world, id),
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/*': retrieve('subscription'),
  'POST /v1/subscriptions/*': (world, parameters, id) =>
    cancelAtPeriodEnd(world, id, read(SubscriptionChange, parameters).cancel_at_period_end),
  'DELETE /v1/subscriptions/*': (world, _parameters, id) => cancelNow(world, id),
  'GET /v1/invoices': listInvoices,
  'GET /v1/invoices/*': retrieve('invoice'),
  'GET /v1/invoice_payments': listInvoicePayments,
  'GET /v1/payment_intents/*': retrieve('payment_intent'),
  'GET /v1/charges': list('charge', '/v1/charges', ['customer', 'payment_intent']),
  'GET /v1/charges/*': retrieve('charge'),
  'GET /v1/disputes': list('dispute', '/v1/disputes', ['charge', 'payment_intent']),
  'GET /v1/disputes/*': retrieve('dispute'),
  'POST /v1/coupons': (world, parameters) => createCoupon(world.records, read(CouponRequest, parameters), nowIn(world)),
  'POST /v1/promotion_codes': (world, parameters) =>
    createPromotionCode(world.records, read(PromotionCodeRequest, parameters), nowIn(world)),
  'GET /v1/promotion_codes': list('promotion_code', '/v1/promotion_codes', ['active', 'code']),
  'POST /v1/promotion_codes/*': changePromotionCode,
  'GET /v1/events': listEvents,
};

const collections = new Set(['sessions', 'expire']);

function handlerOf(method: string, path: string): readonly [Handler, string] {
  const exact = handlers[`${method} ${path}`];
  if (exact) return [exact, ''];
  const [, before = '', id = '', after = ''] = /^(\/v1\/(?:checkout\/)?[a-z_]+)\/([^/]+)(\/[a-z_]+)?$/.exec(path) ?? [];
  const handler = collections.has(id) ? undefined : handlers[`${method} ${before}/*${after}`];
  if (handler) return [handler, decodeURIComponent(id)];
  throw new StripeFault(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
}

/** Performs a request. @throws {StripeFault} if it is rejected */
export function perform(world: StripeWorld, { method, path, parameters }: ApiRequest): object {
  const [handler, id] = handlerOf(method, path);
  return handler(world, parameters, id);
}
