/** The pages on which a user acts as the payer of a PIX code, the payer's bank and Mercado Pago. */
import { found, PageFault, type PageRoute, pageRoute } from '../page-server.ts';
import { type Entry, eventsField, reais, type SandboxPage, sentEntry } from '../sandbox-page.ts';
import { type Action, actions, type FakePayment } from './fake-payments.ts';
import type { SentNotification } from './payment-events.ts';

export interface Sandbox {
  readonly payments: () => readonly FakePayment[];
  readonly sentEvents: () => readonly SentNotification[];
  /** Performs an action; undefined if it is not possible in the payment's state. */
  readonly do: (id: number, action: Action) => FakePayment | undefined;
  /** Sends an event although nothing has changed. */
  readonly notify: (payment: FakePayment) => void;
}

const amountOf = ({ transaction_amount: amount }: FakePayment): string => reais(Math.round(amount * 100));

const stateOf = ({ status, status_detail: detail }: FakePayment): string =>
  (detail.startsWith(status) ? detail : `${status} (${detail})`).replaceAll('_', ' ');

const pageOf = ({ id }: FakePayment): string => `/payments/${id}`;

const entryOf = (payment: FakePayment): Entry => ({
  what: amountOf(payment),
  link: pageOf(payment),
  status: stateOf(payment),
  detail: `${payment.description}, ${payment.id}`,
});

function paymentPage(sandbox: Sandbox, payment: FakePayment): SandboxPage {
  const { id, description, external_reference: reference, transaction_amount_refunded: refunded } = payment;
  const { qr_code: text, qr_code_base64: png } = payment.point_of_interaction.transaction_data;
  const others = sandbox.payments().filter((one) => one.external_reference === reference && one.id !== id);
  const events = sandbox.sentEvents().filter(({ paymentId }) => paymentId === id);
  return {
    title: `PIX payment ${id}`,
    status: stateOf(payment),
    image: `data:image/png;base64,${png}`,
    facts: [
      [description, amountOf(payment)],
      ['Expires (Brasília)', payment.date_of_expiration.slice(0, 16).replace('T', ' ')],
      ['Refunded', reais(Math.round(refunded * 100))],
    ],
    code: ['PIX code', text],
    fields: [eventsField()],
    links: [['/', 'All payments']],
    lists: [
      ['Further payments of the same code', others.map(entryOf)],
      ['Events sent', events.map(({ action, status }) => sentEntry(action, `Payment ${id}`, status))],
    ],
  };
}

/** The start page, where a payer enters the code of an order. */
const startPage = (sandbox: Sandbox, alert?: string): SandboxPage => ({
  title: 'PIX sandbox',
  alert,
  fields: [{ name: 'code', label: 'PIX code of an order', type: 'textarea' }],
  links: [['/events', 'Events sent, as JSON']],
  lists: [['Payments, newest first', sandbox.payments().toReversed().slice(0, 50).map(entryOf)]],
});

const noSuchCode = 'There is no payment with this code.';

export function paymentPages(sandbox: Sandbox): readonly PageRoute[] {
  const buttons = [...actions, 'notify'] as const;
  const find = (id: string): FakePayment =>
    found(
      sandbox.payments().find((one) => String(one.id) === id),
      'payment',
    );
  const ofCode = (code: string | null): FakePayment[] =>
    sandbox.payments().filter((one) => one.point_of_interaction.transaction_data.qr_code === code?.trim());

  function press(payment: FakePayment, action: (typeof buttons)[number]): string {
    if (action === 'notify') sandbox.notify(payment);
    else if (!sandbox.do(payment.id, action))
      throw new PageFault(409, `"${action}" is not possible: the payment is ${payment.status}.`);
    return pageOf(payment);
  }

  return [
    pageRoute({
      path: /^\/payments\/(\d+)$/,
      show: (id) => paymentPage(sandbox, find(id)),
      actions: buttons,
      press: (id, action) => press(find(id), action),
    }),
    // Finds the payment by its code, as a bank's app does. A form applies to the latest payment of the code.
    pageRoute({
      path: /^\/pay$/,
      show(_id, query) {
        const [first] = ofCode(query.get('code'));
        return first ? pageOf(first) : startPage(sandbox, noSuchCode);
      },
      actions: buttons,
      press: (_id, action, form) => press(found(ofCode(form.get('code')).at(-1), 'payment'), action),
    }),
    pageRoute({
      path: /^\/$/,
      show: () => startPage(sandbox),
      actions: ['find-payment'],
      press: (_id, _action, form) => `/pay?${new URLSearchParams({ code: form.get('code') ?? '' }).toString()}`,
    }),
  ];
}
