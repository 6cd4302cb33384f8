/** The requests that the sandbox supports, and the objects that it responds with. */
import * as z from 'zod';
import { CheckoutRequest } from './checkout-request.ts';
import { createSession, expireSession, findSession } from './checkout-sessions.ts';
import { CouponRequest, createCoupon, createPromotionCode, Flag, Metadata, PromotionCodeRequest } from './discounts.ts';
import { type Parameters, parameterNamed } from './form-parameters.ts';
import { listPage, Page } from './lists.ts';
import { presentObject } from './present-object.ts';
import { RefundRequest, refund } from './refunds.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import type { StripeObjects } from './stripe-objects.ts';
import { nowIn, type StripeWorld } from './stripe-world.ts';
import { cancelAtPeriodEnd, cancelNow, subscriptionNamed } from './subscriptions.ts';

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
    const { limit, starting_after, ending_before, created, ...wanted } = read(
      z.strictObject({ ...Page.shape, ...fields }),
      parameters,
    );
    const objects = world.records
      .all(kind)
      .filter((object) => Object.entries(wanted).every(([name, value]) => fieldOf(object, name) === value));
    return listPage(objects, { limit, starting_after, ending_before, created }, { kind, url });
  };

/** The text of a field; an invoice's subscription is nested more deeply. */
function fieldOf(object: object, name: string): string {
  const { parent, [name]: value } = object as Record<string, unknown> & {
    readonly parent?: { readonly subscription_details?: { readonly subscription?: unknown } };
  };
  const isInParent = name === 'subscription' && value === undefined;
  return String(isInParent ? parent?.subscription_details?.subscription : value);
}

const SubscriptionChange = z.strictObject({ cancel_at_period_end: Flag.optional(), metadata: Metadata.optional() });

const changeSubscription: Handler = (world, parameters, id) => {
  const { cancel_at_period_end: isEnding, metadata } = read(SubscriptionChange, parameters);
  const found = subscriptionNamed(world, id);
  if (metadata) world.records.put({ ...found, metadata: { ...found.metadata, ...metadata } });
  return isEnding === undefined ? subscriptionNamed(world, id) : cancelAtPeriodEnd(world, id, isEnding);
};

const listSubscriptions: Handler = (world, { status = '', ...parameters }) => {
  const url = '/v1/subscriptions';
  const page = read(z.strictObject({ ...Page.shape, customer: z.string().optional() }), parameters);
  const found = world.records
    .all('subscription')
    .filter(({ customer }) => page.customer === undefined || customer === page.customer)
    .filter((one) => status === 'all' || (status === '' ? one.status !== 'canceled' : one.status === status));
  return listPage(found, page, { kind: 'subscription', url });
};

const PromotionCodeChange = z.strictObject({ active: Flag.optional(), metadata: Metadata.optional() });

const changePromotionCode: Handler = ({ records }, parameters, id) => {
  const found = records.find('promotion_code', id);
  if (!found) throw missing('promotion_code', id);
  const { active = found.active, metadata } = read(PromotionCodeChange, parameters);
  return records.put({ ...found, active, metadata: { ...found.metadata, ...metadata } });
};

const PaymentFilter = z.strictObject({ type: z.literal('payment_intent'), payment_intent: z.string() });

const listInvoicePayments: Handler = (world, parameters) => {
  const { invoice, payment, status, ...page } = read(
    z.strictObject({
      ...Page.shape,
      invoice: z.string().optional(),
      payment: PaymentFilter.optional(),
      status: z.enum(['canceled', 'open', 'paid']).optional(),
    }),
    parameters,
  );
  const found = world.records
    .all('invoice_payment')
    .filter((one) => invoice === undefined || one.invoice === invoice)
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => payment === undefined || one.payment.payment_intent === payment.payment_intent);
  return listPage(found, page, { kind: 'invoice_payment', url: '/v1/invoice_payments' });
};

const listEvents: Handler = (world, parameters) => {
  const { type, types, ...page } = read(
    z.strictObject({ ...Page.shape, type: z.string().optional(), types: z.array(z.string()).max(20).optional() }),
    parameters,
  );
  const wanted = types ?? (type === undefined ? undefined : [type]);
  const matches = (name: string) =>
    wanted?.some((one) => one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -1)))) ?? true;
  const found = world.records.all('event').filter((event) => matches(event.type));
  return listPage(found, page, { kind: 'event', url: '/v1/events' });
};

const retrieveSession: Handler = (world, parameters, id) => {
  findSession(world, id);
  return retrieve('checkout.session')(world, parameters, id);
};

const listSessions: Handler = (world, parameters, id) => {
  for (const session of world.records.all('checkout.session')) findSession(world, session.id);
  const filters = ['customer', 'payment_intent', 'status', 'subscription'];
  return list('checkout.session', '/v1/checkout/sessions', filters)(world, parameters, id);
};

/** Handlers by method and path, in which `*` stands for an id. */
const handlers: Readonly<Record<string, Handler>> = {
  'POST /v1/checkout/sessions': (world, parameters) => createSession(world, read(CheckoutRequest, parameters)),
  'GET /v1/checkout/sessions': listSessions,
  'GET /v1/checkout/sessions/*': retrieveSession,
  'POST /v1/checkout/sessions/*/expire': (world, _parameters, id) => expireSession(world, id),
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/*': retrieve('subscription'),
  'POST /v1/subscriptions/*': changeSubscription,
  'DELETE /v1/subscriptions/*': (world, _parameters, id) => cancelNow(world, id),
  'GET /v1/invoices': list('invoice', '/v1/invoices', ['customer', 'status', 'subscription']),
  'GET /v1/invoices/*': retrieve('invoice'),
  'GET /v1/invoice_payments': listInvoicePayments,
  'GET /v1/invoice_payments/*': retrieve('invoice_payment'),
  'GET /v1/payment_intents/*': retrieve('payment_intent'),
  'GET /v1/charges': list('charge', '/v1/charges', ['customer', 'payment_intent']),
  'GET /v1/charges/*': retrieve('charge'),
  'POST /v1/refunds': (world, parameters) => refund(world, read(RefundRequest, parameters)),
  'GET /v1/refunds': list('refund', '/v1/refunds', ['charge', 'payment_intent']),
  'GET /v1/refunds/*': retrieve('refund'),
  'GET /v1/disputes': list('dispute', '/v1/disputes', ['charge', 'payment_intent']),
  'GET /v1/disputes/*': retrieve('dispute'),
  'GET /v1/customers/*': retrieve('customer'),
  'POST /v1/coupons': (world, parameters) => createCoupon(world.records, read(CouponRequest, parameters), nowIn(world)),
  'GET /v1/coupons/*': retrieve('coupon'),
  'POST /v1/promotion_codes': (world, parameters) =>
    createPromotionCode(world.records, read(PromotionCodeRequest, parameters), nowIn(world)),
  'GET /v1/promotion_codes': list('promotion_code', '/v1/promotion_codes', ['active', 'code']),
  'POST /v1/promotion_codes/*': changePromotionCode,
  'GET /v1/promotion_codes/*': retrieve('promotion_code'),
  'GET /v1/events': listEvents,
  'GET /v1/events/*': retrieve('event'),
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

const Expand = z.array(z.string()).max(20).default([]);

/** Performs a request. @throws {StripeFault} if it is rejected */
export function perform(
  world: StripeWorld,
  { method, path, parameters: { expand, ...parameters } }: ApiRequest,
): object {
  const [handler, id] = handlerOf(method, path);
  const paths = read(z.object({ expand: Expand }), expand === undefined ? {} : { expand });
  return presentObject(world, handler(world, parameters, id), paths.expand);
}
