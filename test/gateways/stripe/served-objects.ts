/** A server with a few objects and lists in the format of Stripe's API, for responses that a sandbox never gives. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach } from 'vitest';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';

type StoredObject = Readonly<Record<string, unknown>> & { readonly id: string };

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ServedObjects extends LocalServer {
  readonly requests: readonly ReceivedRequest[];
  /** The objects of each list, newest first; each is also served alone. */
  readonly lists: Map<string, readonly StoredObject[]>;
  /** The status of the response for a path, instead of the stored object. */
  readonly failing: Map<string, number>;
}

function pageOf(objects: readonly StoredObject[], { starting_after: after, limit = '10' }: Record<string, string>) {
  const first = after === undefined ? 0 : objects.findIndex(({ id }) => id === after) + 1;
  const data = objects.slice(first, first + Number(limit));
  return { object: 'list', data, has_more: objects.length > first + data.length };
}

async function serveObjects(): Promise<ServedObjects> {
  const requests: ReceivedRequest[] = [];
  const lists: ServedObjects['lists'] = new Map();
  const failing: ServedObjects['failing'] = new Map();
  const server = await localServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://served');
    const form = new URLSearchParams(await text(request));
    const parameters = Object.fromEntries([...searchParams, ...form]);
    requests.push({ method: request.method ?? '', path: pathname, headers: request.headers, parameters });
    const [, list = '', id] = /^(\/v1\/.+)\/([a-z]+_\w+)$/.exec(pathname) ?? ['', pathname];
    const objects = lists.get(list) ?? [];
    const found = id === undefined ? pageOf(objects, parameters) : objects.find((one) => one.id === id);
    const status = failing.get(pathname) ?? (found ? 200 : 404);
    const failed = { error: { type: 'invalid_request_error', message: 'ana@example.com' } };
    response.writeHead(status).end(JSON.stringify(status === 200 ? found : failed));
  });
  return { ...server, requests, lists, failing };
}

/** One server for all tests of a file; it is empty when each test begins. */
export async function servedInTests(): Promise<ServedObjects> {
  const server = await serveObjects();
  afterAll(() => server.close());
  beforeEach(() => {
    server.lists.clear();
    server.failing.clear();
  });
  return server;
}

const start = 1_700_000_000;

/** A subscription that was paid once, with the fields that the service reads. */
export function paidSubscription(name: string, stageName = 'test') {
  const orderId = testIds.next();
  const reference = referenceOf(orderId, stageName);
  const payment = { id: `inpay_${name}`, status: 'paid', invoice: `in_${name}` };
  const item = { current_period_end: start + 100 };
  return {
    orderId,
    session: {
      id: `cs_${name}`,
      created: start,
      status: 'complete',
      client_reference_id: reference,
      subscription: `sub_${name}`,
    },
    subscription: {
      id: `sub_${name}`,
      created: start + 1,
      status: 'active',
      customer: `cus_${name}`,
      metadata: { order: reference },
      cancel_at: null as number | null,
      cancel_at_period_end: false,
      items: { data: [item] },
    },
    invoice: {
      id: `in_${name}`,
      created: start + 1,
      amount_paid: 2990,
      currency: 'brl',
      parent: { subscription_details: { subscription: `sub_${name}` } },
      lines: {
        data: [
          {
            period: { start: start + 2, end: start + 100 },
            parent: { subscription_item_details: { proration: false } },
          },
        ],
      },
      status_transitions: { paid_at: (start + 3) as number | null },
      payments: {
        data: [{ ...payment, payment: { type: 'payment_intent', payment_intent: `pi_${name}` } }] as StoredObject[],
        has_more: false,
      },
    },
    charge: {
      id: `ch_${name}`,
      created: start + 2,
      status: 'succeeded',
      amount: 2990,
      amount_refunded: 0,
      disputed: false,
      payment_intent: `pi_${name}`,
    },
  };
}

export type PaidSubscription = ReturnType<typeof paidSubscription>;

/** Serves this subscription as the only one, in all lists that lead to it. */
export function serveOnly({ lists }: ServedObjects, paid: PaidSubscription): void {
  lists.clear();
  lists.set('/v1/checkout/sessions', [paid.session]);
  lists.set('/v1/subscriptions', [paid.subscription]);
  lists.set('/v1/invoices', [paid.invoice]);
  lists.set('/v1/invoice_payments', paid.invoice.payments.data);
  lists.set('/v1/charges', [paid.charge]);
}
