/** What owners see of webhooks, and sending a webhook again. */
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { localServer } from '../../support/local-server.ts';
import { accessibilityProblems } from '../browser.ts';
import { canTestPages, newPage, open, ownersBrowser, speak } from './dashboard-harness.ts';

describe.runIf(canTestPages)('on the webhooks page, an owner', () => {
  test('reads why a receiver rejected a webhook, in plain words', async () => {
    const backEnd = await localServer((_request, response) => void response.writeHead(404).end());
    try {
      const taskId = await speak('Uma frase recusada.', `${backEnd.url}/events`);
      const opened = await ownersBrowser({ screen: 'phone' });
      const { page } = await newPage(opened);
      await open(page, 'webhooks');
      const delivery = page.getByRole('listitem').filter({ has: page.locator(`a[href$="${taskId}"]`) });
      await delivery
        .getByText('Your server has nothing at this address, or does not accept POST there.')
        .first()
        .waitFor();
      await delivery.getByRole('button', { name: 'Request and attempts' }).click();
      await delivery.getByText('HTTP 404').first().waitFor();
      await opened.close();
    } finally {
      await backEnd.close();
    }
  });

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
      await delivery.getByRole('button', { name: 'Request and attempts' }).press('Enter');
      await delivery.getByText('HTTP 200').waitFor();
      expect(await delivery.getByRole('figure').allTextContents()).toEqual([
        expect.stringContaining(`webhook-id: msg_${taskId}`),
        expect.stringContaining('"event": "task.completed"'),
      ]);
      expect(await accessibilityProblems(page)).toEqual([]);
      await delivery.getByRole('link').click();
      await page.getByRole('region', { name: 'Timeline' }).waitFor();
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
