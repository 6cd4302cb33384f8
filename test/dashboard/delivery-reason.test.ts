import { expect, test } from 'vitest';
import { dictionaries } from '../../dashboard/language/dictionaries.ts';
import { deliveryReason } from '../../dashboard/pages/webhooks/delivery-reason.ts';

const { en } = dictionaries;
const { reasons } = en.webhooks;

test.each([
  [301, reasons.redirect],
  [401, reasons.denied],
  [403, reasons.denied],
  [404, reasons.missing],
  [405, reasons.missing],
  [410, reasons.missing],
  [422, reasons.client],
  [429, reasons.busy],
  [500, reasons.server],
  [599, reasons.server],
])('a receiver that responds to a webhook with status %i is told what to change', (statusCode, reason) => {
  expect(deliveryReason({ statusCode, error: `status ${statusCode}` }, en)).toBe(reason);
});

test('a webhook without a response is explained by the stored reason, and an unknown reason is shown as it is', () => {
  expect(deliveryReason({ statusCode: null, error: 'timeout' }, en)).toBe(reasons.timeout);
  expect(deliveryReason({ statusCode: null, error: 'address rejected' }, en)).toBe(reasons['address rejected']);
  expect(deliveryReason({ statusCode: null, error: 'too-large' }, en)).toBe('too-large');
  expect(deliveryReason({ statusCode: 204, error: null }, en)).toBeUndefined();
});
