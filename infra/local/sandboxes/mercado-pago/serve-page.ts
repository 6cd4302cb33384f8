/** Serves the pages of the sandbox, and does what their buttons say. */
import type { ServerResponse } from 'node:http';
import { type EventFate, isEventFate } from '../event-sender.ts';
import { type Deed, deeds, type FakePayment } from './fake-payments.ts';
import type { SentNotification } from './payment-events.ts';
import { paymentPage, startPage } from './payment-page.ts';

export interface Sandbox {
  readonly payments: () => readonly FakePayment[];
  readonly find: (id: number) => FakePayment | undefined;
  readonly sentEvents: () => readonly SentNotification[];
  readonly do: (id: number, deed: Deed, events: EventFate) => void;
  /** Sends an event although nothing has changed. */
  readonly notify: (payment: FakePayment, events: EventFate) => void;
}

export interface PageRequest {
  readonly url: URL;
  /** Undefined unless a button was pressed. */
  readonly form: URLSearchParams | undefined;
}

const show = (response: ServerResponse, html: string): void =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);

const redirect = (response: ServerResponse, location: string): void => void response.writeHead(303, { location }).end();

/** As the app of a bank does, which finds the payment by its code. */
function findCode({ payments }: Sandbox, { url }: PageRequest, response: ServerResponse): void {
  const code = url.searchParams.get('code')?.trim();
  const found = payments().find(({ point_of_interaction: { transaction_data: data } }) => data.qr_code === code);
  if (found) redirect(response, `/payments/${found.id}`);
  else show(response, startPage(payments(), 'There is no payment with this code.'));
}

function press(sandbox: Sandbox, payment: FakePayment, form: URLSearchParams, response: ServerResponse): void {
  const pressed = form.get('deed');
  const deed = deeds.find((one) => one === pressed);
  const chosen = form.get('events');
  const events = isEventFate(chosen) ? chosen : 'at once';
  if (deed) sandbox.do(payment.id, deed, events);
  if (pressed === 'notify') sandbox.notify(payment, events);
  redirect(response, `/payments/${payment.id}`);
}

function showPayment(sandbox: Sandbox, payment: FakePayment, response: ServerResponse): void {
  const { id, external_reference: reference } = payment;
  const others = sandbox.payments().filter((one) => one.external_reference === reference && one.id !== id);
  const events = sandbox.sentEvents().filter(({ paymentId }) => paymentId === id);
  show(response, paymentPage(payment, others, events));
}

function servePayment(sandbox: Sandbox, id: number, { form }: PageRequest, response: ServerResponse): void {
  const payment = sandbox.find(id);
  if (!payment) response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such payment.');
  else if (form) press(sandbox, payment, form, response);
  else showPayment(sandbox, payment, response);
}

/** Whether the request was for a page. */
export function servePage(sandbox: Sandbox, request: PageRequest, response: ServerResponse): boolean {
  const { pathname } = request.url;
  const [, id] = /^\/payments\/(\d+)$/.exec(pathname) ?? [];
  if (id !== undefined) servePayment(sandbox, Number(id), request, response);
  else if (pathname === '/') show(response, startPage(sandbox.payments()));
  else if (pathname === '/pay') findCode(sandbox, request, response);
  else if (pathname === '/events') {
    const events = JSON.stringify(sandbox.sentEvents(), null, 2);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(events);
  } else return false;
  return true;
}
