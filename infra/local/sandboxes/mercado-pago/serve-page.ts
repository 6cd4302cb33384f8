/** Serves the pages of the sandbox, and does what their buttons say. */
import type { EventFate } from '../event-sender.ts';
import { html, json, type PageReply, type PageRequest, pressIn, redirect, text } from '../page-reply.ts';
import { type Deed, deeds, type FakePayment } from './fake-payments.ts';
import type { SentNotification } from './payment-events.ts';
import { paymentPage, startPage } from './payment-page.ts';

export interface Sandbox {
  readonly payments: () => readonly FakePayment[];
  readonly find: (id: number) => FakePayment | undefined;
  readonly sentEvents: () => readonly SentNotification[];
  /** False if it is not possible in the payment's state. */
  readonly do: (id: number, deed: Deed, events: EventFate) => boolean;
  /** Sends an event although nothing has changed. */
  readonly notify: (payment: FakePayment, events: EventFate) => void;
}

const buttons = [...deeds, 'notify'] as const;

function press(sandbox: Sandbox, payment: FakePayment, form: URLSearchParams): PageReply {
  const pressed = pressIn(form, buttons);
  if ('status' in pressed) return pressed;
  const { deed, events } = pressed;
  if (deed === 'notify') sandbox.notify(payment, events);
  else if (!sandbox.do(payment.id, deed, events))
    return text(409, `"${deed}" is not possible: the payment is ${payment.status}.`);
  return redirect(`/payments/${payment.id}`);
}

/** As the app of a bank does, which finds the payment by its code. A form is about the latest payment of the code. */
function serveCode(sandbox: Sandbox, { url, form }: PageRequest): PageReply {
  const code = (form ?? url.searchParams).get('code')?.trim();
  const payments = sandbox.payments();
  const ofCode = payments.filter(({ point_of_interaction: { transaction_data: data } }) => data.qr_code === code);
  const problem = 'There is no payment with this code.';
  const [first, latest] = [ofCode[0], ofCode.at(-1)];
  if (form) return latest ? press(sandbox, latest, form) : text(404, problem);
  return first ? redirect(`/payments/${first.id}`) : html(startPage(payments, problem));
}

function showPayment(sandbox: Sandbox, payment: FakePayment): PageReply {
  const { id, external_reference: reference } = payment;
  const others = sandbox.payments().filter((one) => one.external_reference === reference && one.id !== id);
  const events = sandbox.sentEvents().filter(({ paymentId }) => paymentId === id);
  return html(paymentPage(payment, others, events));
}

function servePayment(sandbox: Sandbox, id: number, { form }: PageRequest): PageReply {
  const payment = sandbox.find(id);
  if (!payment) return text(404, 'There is no such payment.');
  return form ? press(sandbox, payment, form) : showPayment(sandbox, payment);
}

/** Undefined if the path is none of a page's. */
export function servePage(sandbox: Sandbox, request: PageRequest): PageReply | undefined {
  const { pathname } = request.url;
  const [, id] = /^\/payments\/(\d+)$/.exec(pathname) ?? [];
  if (id !== undefined) return servePayment(sandbox, Number(id), request);
  if (pathname === '/') return html(startPage(sandbox.payments()));
  if (pathname === '/pay') return serveCode(sandbox, request);
  return pathname === '/events' ? json(sandbox.sentEvents()) : undefined;
}
