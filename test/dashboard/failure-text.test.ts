import { expect, test } from 'vitest';
import { ApiError } from '../../dashboard/api/api-error.ts';
import { en } from '../../dashboard/language/en.ts';
import { failureText, purchaseFailureText } from '../../dashboard/parts/failure-text.ts';

test('while the service is unavailable, the error text of a purchase, unlike others, says that nothing was charged', () => {
  const unavailable = new ApiError(503, 'PROVIDER_UNAVAILABLE', 'The service is busy.');
  expect(failureText(unavailable, en)).toBe(en.failures.busy);
  expect(purchaseFailureText(unavailable, en)).toBe(en.billing.unavailable);
});

test('the error text of a purchase that fails unexpectedly is the same as that of other operations', () => {
  const broken = new ApiError(500, 'INTERNAL_ERROR', 'Something broke.');
  expect(purchaseFailureText(broken, en)).toBe(failureText(broken, en));
});

test.for([
  [0, en.failures.rateLimited(1)],
  [60, en.failures.rateLimited(60)],
  [61, en.failures.limited('2 min')],
  [7200, en.failures.limited('2 h')],
  [21_601, en.failures.limited('7 h')],
] as const)('a limit that lasts %i seconds is explained as %s', ([seconds, text]) => {
  expect(failureText(new ApiError(429, 'RATE_LIMITED', 'Too many.', seconds), en)).toBe(text);
});

test('a rejection because of too many open tasks is explained as that, and not as too many requests', () => {
  const rejection = new ApiError(429, 'MAX_CONCURRENT_TASKS', 'The account already has 20 open tasks.', 5);
  expect(failureText(rejection, en)).toBe(en.failures.codes.MAX_CONCURRENT_TASKS);
});
