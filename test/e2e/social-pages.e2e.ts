/** The pages of the sandbox of social networks, in a browser: a person writes as a customer, and sees the page's replies. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetaFake } from '../../fakes/meta/meta-fake.ts';
import { channels } from '../../shared/contracts/channels.ts';
import { connectedShop, faultIn, networkOn, startSandbox } from '../gateways/meta/meta-scene.ts';
import { type LocalServer, localServer } from '../support/local-server.ts';
import { testIds } from '../support/test-table.ts';
import { inspect, type Screen, screens, startBrowser } from './browser.ts';
import { isCapable } from './target.ts';

const canBrowse = isCapable('browser');

let browser: Browser;
let sandbox: MetaFake;
let service: LocalServer;

beforeAll(async () => {
  if (!canBrowse) return;
  service = await localServer((_request, response) => void response.end());
  sandbox = await startSandbox({ eventsUrl: service.url });
  browser = await startBrowser();
});
afterAll(async () => {
  if (!canBrowse) return;
  await browser.close();
  await Promise.all([sandbox.close(), service.close()]);
});

async function open(screen: Screen, path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: screens[screen] });
  await page.goto(sandbox.url + path);
  return page;
}

/** Every button leads to a page, which must be there before anything else is done. */
async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
}

const shopOf = (channel: (typeof channels)[number]) => connectedShop(sandbox, channel, testIds.next());

describe.runIf(canBrowse).for(Object.keys(screens) as Screen[])(
  'on the sandbox’s social pages, on the screen of a %s,',
  (screen) => {
    const network = () => networkOn(sandbox.url);

    test.for(channels)('a customer writes on %s and sees the reply arrive', async (channel) => {
      const { access, person } = shopOf(channel);
      await network().subscribe(access);
      const page = await open(screen, `/people/${person.id}`);
      await page.getByLabel('Message as').fill('Vocês abrem amanhã?');
      await page.getByLabel('With a photo').check();
      await page.getByLabel('Send events').selectOption('twice');
      await press(page, 'Write');
      await page.getByText('Vocês abrem amanhã?').waitFor();
      await network().markSeen(access, person.id);
      await network().sendText(access, person.id, 'Abrimos sim, das 9h às 18h!');
      await page.getByText('Abrimos sim, das 9h às 18h!').waitFor();
      await page.getByText('seen by the shop').last().waitFor();
      await inspect(page, `social-chat-${channel}-${screen}`);
      const sent = (await sandbox.sent()).filter(({ pageId, kind }) => pageId === access.pageId && kind === 'message');
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
      await page.close();
    });

    test('the 24-hour window closes, and opens when the customer writes again', async () => {
      const { access, person } = shopOf('instagram');
      const page = await open(screen, `/people/${person.id}`);
      await press(page, 'Close window');
      await page.getByText('The 24-hour window is closed').waitFor();
      expect(await faultIn(network().sendText(access, person.id, 'Olá'))).toMatchObject({ reason: 'window-closed' });
      await page.getByLabel('Message as').fill('Voltei!');
      await press(page, 'Write');
      await page.getByText('The shop may reply').waitFor();
      await network().sendText(access, person.id, 'Olá');
      await page.close();
    });

    test('people comment on a post, and see what the page replies, hides and likes', async () => {
      const { access, person, postId } = shopOf('facebook');
      const page = await open(screen, `/posts/${postId}`);
      await page.getByLabel('Comment as').selectOption({ label: person.name });
      await page.getByLabel('Comment', { exact: true }).fill('Tem em verde?');
      await press(page, 'Comment');
      const [comment] = sandbox.world.comments(postId);
      if (!comment) throw new Error('no comment');
      await network().reply(access, { postId, commentId: comment.id }, 'Tem, e em amarelo também!');
      await network().setLiked(access, comment.id, true);
      await network().setHidden(access, comment.id, true);
      await page.getByText('Tem, e em amarelo também!').waitFor();
      await page.getByText('1 like, liked by the shop, hidden by the shop').waitFor();
      await inspect(page, `social-post-${screen}`);
      await page.reload();
      await page.getByLabel('Comment to remove').selectOption({ label: `${person.name}: Tem em verde?` });
      await press(page, 'Remove');
      await page.getByText('Tem em verde?').waitFor({ state: 'detached' });
      await page.close();
    });

    test('a new person writes, the shop lists them, and its owner withdraws the consent', async () => {
      const shop = shopOf('instagram');
      await network().subscribe(shop.access);
      const page = await open(screen, `/pages/${shop.page.id}`);
      await page.getByLabel('Name of a new customer').fill('Zuleica Matos');
      await page.getByLabel('Message').fill('Oi, é a primeira vez que escrevo.');
      await press(page, 'Write new');
      await page.getByRole('heading', { level: 1 }).getByText('Zuleica Matos').waitFor();
      await page.goto(`${sandbox.url}/pages/${shop.page.id}`);
      await page.getByRole('link', { name: 'Zuleica Matos' }).waitFor();
      await inspect(page, `social-shop-${screen}`);
      await press(page, 'Revoke');
      await page.getByText('not connected').waitFor();
      expect(await faultIn(network().posts(shop.access))).toMatchObject({ reason: 'revoked' });
      await page.close();
    });

    test('the start page lists the pages, and makes the network fail on demand', async () => {
      const { access } = shopOf('instagram');
      const page = await open(screen, '/');
      await page.getByLabel('The Graph API').selectOption('throttled');
      await press(page, 'Set mood');
      expect(await faultIn(network().posts(access))).toMatchObject({ reason: 'throttled' });
      await page.getByLabel('The Graph API').selectOption('works');
      await press(page, 'Set mood');
      expect((await network().posts(access)).items).toHaveLength(3);
      await inspect(page, `social-start-${screen}`);
      await page.close();
    });

    test('the owner of a page chooses it in the dialog, and returns with a code', async () => {
      const shop = shopOf('facebook');
      const query = new URLSearchParams({
        client_id: 'piloto',
        redirect_uri: `${service.url}/connected`,
        response_type: 'code',
        state: 'a-state',
      });
      const page = await open(screen, `/facebook/v24.0/dialog/oauth?${query.toString()}`);
      await inspect(page, `social-dialog-${screen}`);
      await page.locator(`input[value="${shop.page.id}"]`).check();
      await press(page, 'Allow');
      const { searchParams } = new URL(page.url());
      expect(Object.fromEntries(searchParams)).toEqual({ code: expect.stringMatching(/^AQ/), state: 'a-state' });
      await page.close();
    });
  },
);
