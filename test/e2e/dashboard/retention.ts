/** How long tasks keep results and requests: the owner sets it, and the next task says so. */
import { describe, expect, test } from 'vitest';
import {
  canLookInside,
  expectReadable,
  newPage,
  openBrowser,
  ownService,
  siteUrl,
  visits,
} from './dashboard-harness.ts';
import { newPerson } from './people.ts';

const names = {
  'en-US': { results: 'Days for results', inputs: 'Days for requests and their texts', save: 'Save', saved: 'Saved.' },
  'pt-BR': {
    results: 'Dias para resultados',
    inputs: 'Dias para pedidos e seus textos',
    save: 'Salvar',
    saved: 'Salvo.',
  },
} as const;

describe.runIf(canLookInside).for(visits)('on a $screen in $locale,', (visit) => {
  test('an owner sets the retention of the account, is told of an invalid one, and finds it again', async () => {
    const person = await newPerson('Lia');
    const opened = await openBrowser(visit);
    const { page } = await newPage(opened);
    const { inputs, results, save, saved } = names[visit.locale];
    await page.goto(siteUrl('account'));
    await page.getByRole('link', { name: /Log in|Entrar/ }).click();
    await person.logIn(page);
    await page.getByLabel(results).fill('91');
    await page.getByText(/1 (to|a) 90/).waitFor();
    await expectReadable(page, visit, 'retention-invalid');
    await page.getByLabel(results).fill('30');
    await page.getByLabel(inputs).fill('7');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByText(saved, { exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectReadable(page, visit, 'retention-saved');
    await page.reload();
    await page.getByLabel(inputs).waitFor();
    expect([await page.getByLabel(results).inputValue(), await page.getByLabel(inputs).inputValue()]).toEqual([
      '30',
      '7',
    ]);
    const { accounts } = ownService().context;
    const found = await Promise.all((await Array.fromAsync(accounts.ids())).map((id) => accounts.find(id)));
    const own = found.find((account) => account?.email === person.email);
    expect(own?.retention).toEqual({ resultsDays: 30, inputsDays: 7 });
    await opened.close();
  });
});
