/** The pages of the sandbox, on which a person plays the payer, the payer's bank and the gateway. */

import { eventFates, type SentEvent } from './event-sender.ts';
import type { Deed, FakePayment } from './fake-payments.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const labels: Readonly<Record<Deed, string>> = {
  pay: 'Pay',
  'pay-wrong-amount': 'Pay a wrong amount',
  expire: 'Let it expire',
  refund: 'Refund it',
  'refund-part': 'Refund R$ 1,00',
  'charge-back': 'Charge it back',
};

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f4f5f7; color: #17202a; }
  main { max-width: 26rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border-radius: 12px; box-shadow: 0 1px 4px #0002; }
  h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1rem; margin: 1.5rem 0 0; } ul { padding-left: 1.25rem; margin: 0; }
  img { display: block; margin: 1rem auto; width: 14rem; height: 14rem; image-rendering: pixelated; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; } dd { margin: 0; overflow-wrap: anywhere; } dt { color: #566573; }
  textarea { width: 100%; box-sizing: border-box; font: 12px/1.4 monospace; }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; } label { grid-column: 1 / -1; }
  button, select { font: inherit; padding: .5rem; border-radius: 8px; border: 1px solid #aeb6bf; background: #fff; }
  button[value=pay], button.main { background: #1a7f4b; color: #fff; border-color: #1a7f4b; grid-column: 1 / -1; }`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><main>
${content}
</main></body></html>`;

const buttons = ({ status }: FakePayment): string =>
  Object.entries(labels)
    .map(([deed, label]) => {
      const text = deed === 'pay' && status !== 'pending' ? 'Pay once more' : label;
      return `<button name="deed" value="${deed}">${text}</button>`;
    })
    .join('\n');

const section = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<h2>${title}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const amountOf = ({ transaction_amount: amount }: FakePayment): string => `R$ ${amount.toFixed(2).replace('.', ',')}`;

const linkTo = (payment: FakePayment): string =>
  `<a href="/payments/${payment.id}">${payment.id}</a>: ${amountOf(payment)}, ${escaped(payment.status)}`;

const received = ({ action, status }: SentEvent): string =>
  `${escaped(action)}: ${status === null ? 'no response' : `response ${status}`}`;

export function paymentPage(
  payment: FakePayment,
  others: readonly FakePayment[],
  events: readonly SentEvent[],
): string {
  const { qr_code: code, qr_code_base64: png } = payment.point_of_interaction.transaction_data;
  return page(
    `PIX payment ${payment.id}`,
    `<h1>${escaped(payment.description)}: ${amountOf(payment)}</h1>
<p>No money moves here: this page stands in for the app of a bank.</p>
<img alt="PIX QR code" src="data:image/png;base64,${png}">
<textarea readonly rows="4" aria-label="PIX code">${escaped(code)}</textarea>
<dl><dt>Payment</dt><dd>${payment.id}</dd>
<dt>Status</dt><dd id="status">${escaped(payment.status)} (${escaped(payment.status_detail)})</dd>
<dt>Expires</dt><dd>${payment.date_of_expiration}</dd></dl>
<form method="post">
<label>Events <select name="events">${eventFates.map((fate) => `<option>${fate}</option>`).join('')}</select></label>
${buttons(payment)}
<button name="deed" value="notify">Send an event</button>
</form>
${section('Events sent, and the service’s responses', events.map(received))}
${section('Further payments of the same code', others.map(linkTo))}
<p><a href="/">All payments</a></p>`,
  );
}

/** Where a payer begins: with the code of an order. */
export const startPage = (payments: readonly FakePayment[], notice: string): string =>
  page(
    'PIX sandbox',
    `<h1>PIX sandbox</h1>
<p>No money moves here: this page stands in for the app of a bank. ${escaped(notice)}</p>
<form action="/pay"><label>PIX code of an order
<textarea name="code" rows="4" required></textarea></label>
<button class="main">Continue</button></form>
${section('Payments, newest first', payments.toReversed().map(linkTo))}
<p><a href="/events">Events sent, as JSON</a></p>`,
  );
