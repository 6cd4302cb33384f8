/** What the response of a payment gateway means to the request that it was asked for. */
import { expect, test } from 'vitest';
import { respondedBy, unavailableIfUnanswered } from '../../../shared/domain/billing/gateway-call.ts';

const kindOf = (call: Promise<object>): Promise<unknown> =>
  respondedBy(call)
    .catch(unavailableIfUnanswered)
    .then(
      () => 'made',
      (error: { readonly kind: unknown }) => error.kind,
    );

test('a gateway object created under the same key for another request requires a new key', async () => {
  expect(await kindOf(Promise.resolve({ conflict: true }))).toBe('other-body');
});

test('a gateway that refuses or does not respond is unavailable, and one that names a field rejects that field', async () => {
  expect(await kindOf(Promise.resolve({ refusal: 'no such seller' }))).toBe('dependency-unavailable');
  expect(await kindOf(Promise.reject(new Error('no connection')))).toBe('dependency-unavailable');
  expect(await kindOf(Promise.resolve({ refusal: 'bad', invalidField: 'payer' }))).toBe('invalid');
});

test('the response of a gateway is passed on unchanged', async () => {
  const made = { checkoutId: 'cs_1' };
  expect(await respondedBy(Promise.resolve(made))).toBe(made);
});
