/** docs/billing.md names exactly what the code knows. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventFates } from '../../../infra/local/sandboxes/event-sender.ts';
import { deeds } from '../../../infra/local/sandboxes/mercado-pago/fake-payments.ts';
import { subscriptionDeeds } from '../../../infra/local/sandboxes/stripe/subscription-deeds.ts';
import { pixMinutes } from '../../../shared/contracts/billing.ts';
import { orderStatuses } from '../../../shared/contracts/order-statuses.ts';
import { caseKinds } from '../../../shared/domain/billing/billing-case.ts';

const page = readFileSync('docs/billing.md', 'utf8');

/** The names in the first column of a section's table. */
function namesIn(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

test.each([
  ['Orders', orderStatuses],
  ['Cases', caseKinds],
  ['The sandbox', eventFates],
])('the table under "%s" has a row for each of %j', (heading, known) => {
  expect(namesIn(heading)).toEqual([...known]);
});

test.each([
  ['/subscriptions/<id>', subscriptionDeeds],
  ['/payments/<id>', [...deeds, 'notify']],
])('the buttons of %s are %j', (path, known) => {
  const [line = ''] = page.split('\n').filter((one) => one.startsWith(`| \`${path}\``));
  const [, buttons = ''] = line.split(' | ');
  const names = buttons.replaceAll(/\([^)]*\)/g, '').match(/[a-z-]+/g);
  expect(names?.toSorted()).toEqual(known.toSorted());
});

test('the time in which an order can be paid is the contract’s', () => {
  expect(page).toContain(`was not paid in time: ${pixMinutes} minutes`);
});
