/** What owners buy. */
import { describe, expect, test } from 'vitest';
import { canBrowse, dashboard, newPage, open, ownersBrowser } from './dashboard-harness.ts';

describe.runIf(canBrowse)('an owner', () => {
  test('buys a pack, whose page turns to paid by itself', async () => {
    const opened = await ownersBrowser({ screen: 'phone' });
    const { page, complaints } = await newPage(opened);
    await open(page, 'billing');
    await page.getByRole('button', { name: /^Buy: 500/ }).click();
    await page.getByAltText('QR code of the PIX payment').waitFor();
    const code = (await page.locator('.secret').textContent()) ?? '';
    const payer = await opened.newPage();
    await payer.goto(dashboard().service.payments.url);
    await payer.getByLabel('PIX code of an order').fill(code);
    await payer.getByRole('button', { name: 'Continue' }).click();
    await payer.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('500 credits were added to your balance.').waitFor();
    expect(complaints).toEqual([]);
    await opened.close();
  });
});
