/** The pages of a sandbox, and the responses to programs that press their buttons. */
import { expect, test } from 'vitest';
import { useMercadoPago } from '../gateways/mercado-pago/mercado-pago-scene.ts';
import { openPixPage } from '../support/pix-page.ts';

const scene = useMercadoPago();

test('a sandbox page is found by an order’s PIX code, escapes the texts that it shows, and lists the events that were sent', async () => {
  const { qrCode, payment } = await scene.charged({ description: '100 <credits>' });
  await scene.fake.sent();
  const page = await openPixPage(scene.fake.url, ` ${qrCode}\n`);
  expect(page.url).toBe(`${scene.fake.url}/payments/${payment.paymentId}`);
  const html = await page.html();
  for (const shown of ['100 &lt;credits&gt;', 'R$ 59,90', qrCode, 'payment.created', 'response 200']) {
    expect(html).toContain(shown);
  }
  await page.press('pay', 'twice');
  await scene.fake.sent();
  expect((await page.events()).map(({ action }) => action)).toEqual([
    'payment.created',
    'payment.updated',
    'payment.updated',
  ]);
});

test('pressing an invalid button of a sandbox page is rejected with the reason and changes nothing', async () => {
  const { qrCode: code, payment } = await scene.charged();
  const press = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form);
    const response = await fetch(`${scene.fake.url}/pay`, { method: 'POST', body, redirect: 'manual' });
    return [response.status, await response.text()];
  };
  expect(await press({ code, action: 'buy' })).toEqual([
    400,
    'action must be one of pay, pay-wrong-amount, expire, refund, refund-part, dispute, charge-back, win, notify; it is "buy".\n',
  ]);
  expect(await press({ code, action: 'pay', events: 'soon' })).toEqual([
    400,
    expect.stringMatching(/^events must be one of at once, /),
  ]);
  expect(await press({ code: `${code}0`, action: 'pay' })).toEqual([404, 'There is no such payment.\n']);
  expect(await press({ code, action: 'refund' })).toEqual([409, '"refund" is not possible: the payment is pending.\n']);
  expect((await scene.gatewayWith().read(payment.paymentId))?.status).toBe('pending');
  expect(await press({ code, action: 'pay' })).toEqual([303, '']);
});
