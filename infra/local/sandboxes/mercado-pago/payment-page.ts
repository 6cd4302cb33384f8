/** The pages of the sandbox, on which a person plays the payer, the payer's bank and the gateway. */
import { alertBox, badge, type Entry, escaped, eventsField, hostedPage, listed, reais, rows } from '../hosted-page.ts';
import type { Deed, FakePayment } from './fake-payments.ts';
import type { SentNotification } from './payment-events.ts';

type Button = readonly [value: Deed | 'notify', label: string, kind?: 'main' | 'bad'];

const buttonOf = ([value, label, kind]: Button): string =>
  `<button name="deed" value="${value}"${kind ? ` class="${kind}"` : ''}>${label}</button>`;

const group = (title: string, buttons: readonly Button[]): string =>
  `<fieldset><legend>${title}</legend><div class="pair">${buttons.map(buttonOf).join('\n')}</div></fieldset>`;

const payButtons = ({ date_approved, status }: FakePayment): string =>
  status === 'pending'
    ? group('The payer', [
        ['pay', 'Pay', 'main'],
        ['pay-wrong-amount', 'Pay a wrong amount'],
        ['expire', 'Let it expire', 'bad'],
      ])
    : group('The payer', [
        ['pay', date_approved === null ? 'Pay late' : 'Pay once more', 'main'],
        ['pay-wrong-amount', 'Pay a wrong amount'],
      ]);

const returning: Readonly<Record<string, readonly Button[]>> = {
  approved: [
    ['refund', 'Refund it'],
    ['refund-part', `Refund ${reais(100)}`],
    ['dispute', 'Dispute it'],
    ['charge-back', 'Charge it back', 'bad'],
  ],
  in_mediation: [
    ['win', 'Decide for the seller'],
    ['charge-back', 'Charge it back', 'bad'],
  ],
  charged_back: [['win', 'Decide for the seller']],
};

function returnButtons({ status }: FakePayment): string {
  const buttons = returning[status];
  return buttons ? group('The seller and the bank', buttons) : '';
}

const kinds: Readonly<Record<string, 'good' | 'wait'>> = { approved: 'good', pending: 'wait' };

const centsOf = ({ transaction_amount: amount }: FakePayment): number => Math.round(amount * 100);

const entryOf = (payment: FakePayment): Entry => ({
  what: reais(centsOf(payment)),
  link: `/payments/${payment.id}`,
  status: stateOf(payment),
  detail: `${payment.description}, ${payment.id}`,
});

const sentEntry = ({ paymentId, action, status }: SentNotification): Entry => ({
  what: action,
  status: status === null ? 'no response' : `response ${status}`,
  detail: `Payment ${paymentId}`,
});

const stateOf = ({ status, status_detail: detail }: FakePayment): string =>
  (detail.startsWith(status) ? detail : `${status} (${detail})`).replaceAll('_', ' ');

function summary(payment: FakePayment): string {
  const { qr_code: code, qr_code_base64: png } = payment.point_of_interaction.transaction_data;
  const refunded = Math.round(payment.transaction_amount_refunded * 100);
  return `<h1>${escaped(payment.description)}</h1>
<p class="amount">${reais(centsOf(payment))}</p>
${badge(stateOf(payment), kinds[payment.status] ?? 'bad')}
<img class="code" alt="PIX QR code" src="data:image/png;base64,${png}">
<label>PIX code <textarea readonly rows="5">${escaped(code)}</textarea></label>
<dl>${rows([
    ['Payment', String(payment.id)],
    ['Expires (Brasília)', escaped(payment.date_of_expiration.slice(0, 16).replace('T', ' '))],
    ...(refunded > 0 ? [['Refunded', reais(refunded)] as const] : []),
  ])}</dl>`;
}

export const paymentPage = (
  payment: FakePayment,
  others: readonly FakePayment[],
  events: readonly SentNotification[],
): string =>
  hostedPage({
    title: `PIX payment ${payment.id}`,
    standIn: 'the app of a bank',
    home: 'All payments',
    content: `<section>${summary(payment)}</section>
<section><form method="post">
${eventsField()}
${payButtons(payment)}
${returnButtons(payment)}
${group('Events', [['notify', 'Send an event']])}
</form>
${listed('Further payments of the same code', others.map(entryOf))}
${listed('Events sent', events.map(sentEntry))}</section>`,
  });

const mostShown = 50;

/** Where a payer begins: with the code of an order. */
export const startPage = (payments: readonly FakePayment[], notice?: string): string =>
  hostedPage({
    title: 'PIX sandbox',
    standIn: 'the app of a bank',
    content: `<section><h1>PIX sandbox</h1>
${alertBox(notice)}
<form action="/pay"><label>PIX code of an order
<textarea name="code" rows="5" required></textarea></label>
<button class="main">Continue</button></form></section>
<section>${listed('Payments, newest first', payments.toReversed().slice(0, mostShown).map(entryOf)) || '<h2>Payments</h2><p>There are none yet.</p>'}
<p><a href="/events">Events sent, as JSON</a></p></section>`,
  });
