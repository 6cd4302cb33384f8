import { expect, test } from 'vitest';
import { ApiError } from '../../dashboard/api/api-error.ts';
import { en } from '../../dashboard/language/en.ts';
import { failureText, purchaseFailureText } from '../../dashboard/parts/failure-text.ts';

test('only the error text of a purchase says that nothing was charged, whether the service or the provider is busy', () => {
  const unavailable = new ApiError(503, 'PROVIDER_UNAVAILABLE', 'The service is busy.');
  expect(failureText(unavailable, en)).toBe(en.failures.busy);
  expect(purchaseFailureText(unavailable, en)).toBe(en.billing.unavailable);
});

test('any other failure of a purchase is explained with the same text as on all pages', () => {
  const broken = new ApiError(500, 'INTERNAL_ERROR', 'Something broke.');
  expect(purchaseFailureText(broken, en)).toBe(failureText(broken, en));
});
