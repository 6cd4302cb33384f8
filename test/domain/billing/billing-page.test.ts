/** docs/billing.md lists exactly the names that the code defines. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventDeliveries } from '../../../fakes/event-sender.ts';
import { actions } from '../../../fakes/mercado-pago/fake-payments.ts';
import { checkoutButtons } from '../../../fakes/stripe/checkout-pages.ts';
import { subscriptionActions } from '../../../fakes/stripe/subscription-actions.ts';
import { checkoutHours, pixMinutes } from '../../../shared/contracts/billing.ts';
import { orderStatuses } from '../../../shared/contracts/order-statuses.ts';
import { caseKinds } from '../../../shared/domain/billing/cases/billing-case.ts';
import { storedSubscriptionStatuses } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import { eventTypes } from '../../../shared/gateways/stripe/stripe-event.ts';

const page = readFileSync('docs/billing.md', 'utf8');

/** The names in the first column of the table in a section. */
function namesIn(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^ *\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

test.each([
  ['Orders', orderStatuses],
  ['Subscriptions', storedSubscriptionStatuses.filter((status) => status !== 'abandoned')],
  ['Cases', caseKinds],
  ['Connect Stripe', eventTypes],
  ['The sandbox', eventDeliveries],
])('the table under "%s" in the billing documentation has a row for each value in the code', (heading, known) => {
  expect(namesIn(heading)).toEqual([...known]);
});

test.each([
  ['/checkout/<id>', checkoutButtons],
  ['/subscriptions/<id>', subscriptionActions],
  ['/payments/<id>', [...actions, 'notify']],
])('the billing documentation lists every button of the sandbox page %s', (path, known) => {
  const [line = ''] = page.split('\n').filter((one) => one.startsWith(`| \`${path}\``));
  const [, buttons = ''] = line.split(' | ');
  const names = buttons.replaceAll(/\([^)]*\)/g, '').match(/[a-z-]+/g);
  expect(names?.toSorted()).toEqual(known.toSorted());
});

test('the billing documentation states the same order lifetimes as the API contract', () => {
  expect(page).toContain(`was not paid in time: ${pixMinutes} minutes, for a subscription ${checkoutHours} hours`);
});
