/** How responses of a payment gateway determine the response to the client's request. */
import { expect, test } from 'vitest';
import { rejectOther, respondedBy, unavailableIfUnanswered } from '../../../shared/domain/billing/gateway-call.ts';

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch(unavailableIfUnanswered).then(
    () => 'made',
    (error: { readonly kind: unknown }) => error.kind,
  );

const kindOf = (call: Promise<object>, isInherited = false): Promise<unknown> =>
  outcomeOf(respondedBy(call, { isInherited }));

test('a request with an idempotency key that the gateway has seen with other content is told to use a new key', async () => {
  expect(await kindOf(Promise.resolve({ conflict: true }), true)).toBe('other-body');
  expect(await kindOf(Promise.resolve({ conflict: true }))).toBe('dependency-unavailable');
});

test('a gateway that refuses or does not respond counts as unavailable, but a refused field as invalid input', async () => {
  expect(await kindOf(Promise.resolve({ refusal: 'no such seller' }))).toBe('dependency-unavailable');
  expect(await kindOf(Promise.reject(new Error('no connection')))).toBe('dependency-unavailable');
  expect(await kindOf(Promise.resolve({ refusal: 'bad', invalidField: 'payer' }))).toBe('invalid');
});

test('the response of a gateway is passed on unchanged', async () => {
  const made = { checkoutId: 'cs_1' };
  expect(await respondedBy(Promise.resolve(made), { isInherited: false })).toBe(made);
});

test('a charge that differs from the request is canceled, unless an earlier request with the same key asked for it', async () => {
  const withdrawn: string[] = [];
  const reject = (isInherited: boolean, withdraw = async () => void withdrawn.push('charge')) =>
    outcomeOf(rejectOther({ isInherited }, withdraw));
  expect([await reject(true), withdrawn]).toEqual(['other-body', []]);
  expect([await reject(false), withdrawn]).toEqual(['dependency-unavailable', ['charge']]);
  expect(await reject(false, () => Promise.reject(new Error('no connection')))).toBe('dependency-unavailable');
});
