/** The page of a payment, on which a person plays the payer, the payer's bank and the gateway. */

import { eventFates } from './event-sender.ts';
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
  h1 { font-size: 1.25rem; margin: 0; } img { display: block; margin: 1rem auto; width: 14rem; height: 14rem; image-rendering: pixelated; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; } dd { margin: 0; overflow-wrap: anywhere; } dt { color: #566573; }
  textarea { width: 100%; box-sizing: border-box; font: 12px/1.4 monospace; }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; } label { grid-column: 1 / -1; }
  button, select { font: inherit; padding: .5rem; border-radius: 8px; border: 1px solid #aeb6bf; background: #fff; }
  button[value=pay] { background: #1a7f4b; color: #fff; border-color: #1a7f4b; grid-column: 1 / -1; }`;

const buttons = ({ status }: FakePayment): string =>
  Object.entries(labels)
    .map(([deed, label]) => {
      const text = deed === 'pay' && status !== 'pending' ? 'Pay once more' : label;
      return `<button name="deed" value="${deed}">${text}</button>`;
    })
    .join('\n');

export function paymentPage(payment: FakePayment, others: readonly FakePayment[]): string {
  const { qr_code: code, qr_code_base64: png } = payment.point_of_interaction.transaction_data;
  const amount = payment.transaction_amount.toFixed(2).replace('.', ',');
  const further = others.map(({ id, status }) => `<li><a href="/payments/${id}">${id}</a>: ${status}</li>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>PIX payment ${payment.id}</title><style>${style}</style></head>
<body><main>
<h1>${escaped(payment.description)}: R$ ${amount}</h1>
<p>No money moves here: this page stands in for the app of a bank.</p>
<img alt="PIX QR code" src="data:image/png;base64,${png}">
<textarea readonly rows="4" aria-label="PIX code">${escaped(code)}</textarea>
<dl><dt>Payment</dt><dd>${payment.id}</dd>
<dt>Status</dt><dd id="status">${escaped(payment.status)} (${escaped(payment.status_detail)})</dd>
<dt>Expires</dt><dd>${payment.date_of_expiration}</dd></dl>
<form method="post">
<label>Events <select name="events">${eventFates.map((fate) => `<option>${fate}</option>`).join('')}</select></label>
${buttons(payment)}
</form>
${further && `<h2>Further payments of the same code</h2><ul>${further}</ul>`}
</main></body></html>`;
}
