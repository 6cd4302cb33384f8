/** Buying credits and subscriptions in the dashboard. */
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../browser.ts';
import { canBrowse, canTestPages, dashboard, newAccount, newPage, open, ownersBrowser } from './dashboard-harness.ts';

describe.runIf(canBrowse)('on the billing page, an owner', () => {
  test.runIf(canTestPages)('buys a pack, whose page shows it as paid without reloading', async () => {
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page, complaints } = await newPage(opened);
    await open(page, 'billing');
    await page.getByRole('button', { name: /^Buy: 500/ }).click();
    await page.getByAltText('QR code of the PIX payment').waitFor();
    const code = (await page.locator('.secret').textContent()) ?? '';
    const payer = await opened.newPage();
    await payer.goto(dashboard().service.payments.url);
    await payer.getByLabel('PIX code of an order').fill(code);
    await payer.getByRole('button', { name: 'Find payment' }).click();
    await payer.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('500 credits were added to your balance.').waitFor();
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test('subscribes at the checkout, returns, and sees what the plan includes and when it renews', async () => {
    const opened = await ownersBrowser({}, { accountId: await newAccount('Hugo') });
    const { page, complaints } = await newPage(opened);
    await open(page, 'billing');
    const plan = page.getByRole('region', { name: 'Your plan' });
    await plan.getByText('You have no plan.').waitFor();
    await page.getByRole('button', { name: 'Subscribe: Pro' }).click();
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByText('You left the checkout without paying').waitFor();
    await page.getByRole('button', { name: 'Subscribe: Pro' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: 'Back to the merchant' }).click();
    await page.getByText('You are subscribed').waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/billing');
    for (const text of ['Pro', 'Active', '2,000 credits', 'Renews on', 'Clips from long videos, Studio', 'Monthly'])
      await plan.getByText(text, { exact: true }).waitFor();
    const orders = page.getByRole('region', { name: 'Orders' });
    await orders.getByRole('row').filter({ hasText: 'Pro' }).getByText('Paid', { exact: true }).waitFor();
    expect(
      await page
        .getByRole('button', { name: /^Subscribe/ })
        .and(page.locator(':enabled'))
        .count(),
    ).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await opened.close();
  });

  test.runIf(canTestPages)('can read the catalog and the orders on a phone in Portuguese', async () => {
    const opened = await ownersBrowser({ screen: 'phone', locale: 'pt-BR' });
    const { page } = await newPage(opened);
    await open(page, 'billing');
    const plans = page.getByRole('region', { name: 'Planos', exact: true });
    await plans.getByText('2.000 créditos por mês').waitFor();
    await page.getByRole('button', { name: 'Comprar: 500 créditos' }).waitFor();
    expect(await page.getByText(/credits|months free/).count()).toBe(0);
    await page.getByRole('button', { name: 'Comprar: 500 créditos' }).click();
    await page.getByAltText('QR code do pagamento PIX').waitFor();
    await page.goBack();
    const orders = page.getByRole('region', { name: 'Pedidos' });
    await orders.getByText('Aguardando pagamento').first().waitFor();
    const cells = orders.getByRole('row').getByRole('cell');
    const widths = await cells.evaluateAll((all) => all.map((cell) => [cell.scrollWidth, cell.clientWidth]));
    expect(widths.length % 4).toBe(0);
    expect(widths.length).toBeGreaterThan(0);
    expect(widths.filter(([needed = 0, given = 0]) => needed > given)).toEqual([]);
    await opened.close();
  });
});
