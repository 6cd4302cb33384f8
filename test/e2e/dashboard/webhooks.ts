/** What owners see of webhooks, and sending a webhook again. */
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { localServer } from '../../support/local-server.ts';
import { canBrowse, newPage, open, ownersBrowser, speak } from './dashboard-harness.ts';

describe.runIf(canBrowse)('on the webhooks page, an owner', () => {
  test('sees that a webhook was delivered, and has it delivered again', async () => {
    const received: string[] = [];
    const backEnd = await localServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      response.end();
    });
    try {
      const taskId = await speak('Uma frase com webhook.', `${backEnd.url}/events`);
      const opened = await ownersBrowser();
      const { page, complaints } = await newPage(opened);
      await open(page, 'webhooks');
      const delivery = page.getByRole('listitem').filter({ has: page.locator(`a[href$="${taskId}"]`) });
      await delivery.getByText('Delivered').waitFor();
      expect(await delivery.textContent()).toContain(`${backEnd.url}/events`);
      await delivery.getByRole('link').click();
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('The webhook is on its way.').waitFor();
      await eventually('the second delivery', async () => received[1]);
      expect(complaints).toEqual([]);
      await opened.close();
    } finally {
      await backEnd.close();
    }
  });
});
