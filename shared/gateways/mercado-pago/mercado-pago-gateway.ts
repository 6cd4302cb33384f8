/** Adapter to Mercado Pago's Payments API, version 1, without a client library. */
import { type Clock, timestamp } from '../../platform/clock.ts';
import { authorizedHeaders, exchange, type GatewayResponse } from '../exchange.ts';
import { referenceOf } from '../order-reference.ts';
import type { ChargeRefusal, ChargeRequest, PixGateway } from '../pix-gateway.ts';
import { verifiedEvent } from './mercado-pago-event.ts';
import { chargeIn, pageSize, paymentIdIn, paymentIn, paymentsIn } from './mercado-pago-payment.ts';

export interface MercadoPagoAccess {
  /** The base URL, `https://api.mercadopago.com`; the token is sent nowhere else. */
  readonly url: string;
  /** The credentials are read at each use, so that changed secrets need no restart. */
  readonly token: () => Promise<string>;
  readonly webhookSecret: () => Promise<string>;
  /** The URL to which events are sent. */
  readonly notificationUrl: () => string;
  /** The stage's name; payments of other stages are ignored. */
  readonly stageName: () => string;
  readonly clock: Clock;
  /** The time limit of an exchange. Default: 10 s. */
  readonly timeLimitMs?: number;
}

interface Request {
  readonly method?: 'POST' | 'PUT';
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/**
 * Statuses of refused requests. With 409, 423 and 424, an identical request is in progress, so they are not included.
 */
const refusals = new Set([400, 401, 402, 403, 404, 422, 429]);

const headersOf = (token: string, { body, idempotencyKey }: Request): Headers =>
  authorizedHeaders('Mercado Pago', token, {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'X-Idempotency-Key': idempotencyKey }),
  });

const unexpected = (act: string, { status }: GatewayResponse): Error =>
  new Error(`Mercado Pago responded with ${status} to ${act}`);

/** Documented codes for a charge that is refused because of the payer's data. */
const payerCodes: Readonly<Record<string, ChargeRefusal['invalidField']>> = {
  // The error for a payer who is also the seller.
  2060: 'payer',
  2067: 'payer.taxId',
};

/** How many causes of a refusal are read. */
const mostCauses = 100;

/** Describes a refusal by its documented codes only, because messages may quote the payer. */
function refusalOf({ status, body }: GatewayResponse): ChargeRefusal {
  const { cause } = Object(body) as { readonly cause?: unknown };
  const codes = (Array.isArray(cause) ? cause.slice(0, mostCauses) : [])
    .map((one) => String(Object(one).code))
    .filter((code) => /^\d{1,6}$/.test(code));
  const refusal = `Mercado Pago refused the charge with ${[status, ...codes].join(', ')}`;
  const invalidField = status === 400 ? codes.map((code) => payerCodes[code]).find(Boolean) : undefined;
  return { refusal, ...(invalidField && { invalidField }) };
}

/** Formats a date with an offset instead of `Z`, which the API does not accept. */
const withOffset = (at: number): string => timestamp(at).replace('Z', '+00:00');

const bodyOf = (
  { orderId, cents, description, payer, expiresAt }: ChargeRequest,
  { notificationUrl, stageName }: MercadoPagoAccess,
) => {
  const [first = '', ...others] = payer.name.split(' ');
  return {
    transaction_amount: cents / 100,
    payment_method_id: 'pix',
    description,
    external_reference: referenceOf(orderId, stageName()),
    notification_url: notificationUrl(),
    date_of_expiration: withOffset(expiresAt),
    payer: {
      email: payer.email,
      first_name: first,
      last_name: others.join(' '),
      ...(payer.taxId && { identification: payer.taxId }),
    },
  };
};

function requester({ url, token, timeLimitMs = 10_000 }: MercadoPagoAccess) {
  return async (path: string, request: Request = {}): Promise<GatewayResponse> => {
    const { method = 'GET', body } = request;
    return exchange(`${url}${path}`, {
      method,
      headers: headersOf(await token(), request),
      signal: AbortSignal.timeout(timeLimitMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
}

/**
 * Creates the gateway. Its functions throw an Error if Mercado Pago does not respond as documented; errors never quote
 * payers or secrets.
 */
export function mercadoPagoGateway(access: MercadoPagoAccess): PixGateway {
  const ask = requester(access);
  const reader = () => ({ stageName: access.stageName(), now: access.clock.now() });
  return {
    name: 'mercado-pago',

    async createCharge(request) {
      const body = bodyOf(request, access);
      const response = await ask('/v1/payments', { method: 'POST', body, idempotencyKey: request.orderId });
      if (refusals.has(response.status)) return refusalOf(response);
      if (response.status !== 201 && response.status !== 200) throw unexpected('a charge', response);
      return chargeIn(response.body, reader());
    },

    async read(paymentId) {
      // A search may have found a payment without a valid id.
      if (paymentIdIn(paymentId) === undefined) return undefined;
      const response = await ask(`/v1/payments/${encodeURIComponent(paymentId)}`);
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw unexpected('the request for a payment', response);
      return paymentIn(response.body, reader());
    },

    async cancel(paymentId) {
      const response = await ask(`/v1/payments/${encodeURIComponent(paymentId)}`, {
        method: 'PUT',
        body: { status: 'cancelled' },
      });
      // Status 400 means that the payment can no longer be canceled, which the next read confirms.
      if (![200, 400, 404].includes(response.status)) throw unexpected('a cancellation', response);
    },

    async *changedSince(at, until, isOver = () => false) {
      // Payments are sorted by the time of change, so that each page can start where the last ended: payments that
      // change meanwhile move to the end.
      const order = { sort: 'date_last_updated', criteria: 'asc', limit: String(pageSize) };
      const end = until === undefined ? 'NOW' : withOffset(until);
      let [from, offset] = [at, 0];
      while (!isOver()) {
        const range = { range: 'date_last_updated', begin_date: withOffset(from), end_date: end };
        const query = new URLSearchParams({ ...range, ...order, offset: String(offset) });
        const response = await ask(`/v1/payments/search?${query.toString()}`);
        if (response.status !== 200) throw unexpected('a search', response);
        const { own, total, lastChangeAt } = paymentsIn(response.body, reader());
        yield* own;
        if (total < pageSize) return;
        const isLater = lastChangeAt !== undefined && lastChangeAt > from;
        [from, offset] = isLater ? [lastChangeAt, 0] : [from, offset + total];
      }
    },

    readEvent: async (notification) => verifiedEvent(notification, await access.webhookSecret(), access.clock.now()),
  };
}
