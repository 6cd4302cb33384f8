/** What strangers try in a browser, or with somebody's ids: all of it is rejected, on every host. */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { passwordGuesses } from '../../../shared/contracts/limits.ts';
import type { OperationContract, RequestContract } from '../../../shared/contracts/operation.ts';
import { registry } from '../../../shared/contracts/registry.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { callAsPage, giveSession, type PageCall } from '../../support/given-session.ts';
import { localServer } from '../../support/local-server.ts';
import {
  canBrowse,
  dashboard,
  newAccount,
  newPage,
  open,
  openBrowser,
  ownersBrowser,
  profileStatus,
  siteUrl,
  speak,
} from './dashboard-harness.ts';
import { newPerson, sessionCookieOf, signUp } from './people.ts';

const shared = Object.values<OperationContract>(registry).filter((contract) => contract.dashboard);

/** Every route of a page that names one thing, with the name of its parameter. */
const routesById = [...shared, ...Object.values<RequestContract>(dashboardContracts)].flatMap(
  ({ operationId, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return names.map((name) => [operationId as Parameters<typeof callAsPage>[1], name] as const);
  },
);

const sessionStatus = async (cookie: string): Promise<number> =>
  (await callAsPage(dashboard().service.url, 'getSession', { cookie })).status;

/** A page that writes to the dashboard in each way that a browser knows. */
const forgery = (target: string): string => `<!doctype html><title>Forgery</title>
<iframe name="result"></iframe>
<form method="post" action="${target}" target="result" enctype="text/plain"><input name='{"name":"' value='stolen"}'></form>
<script>
const write = (contentType) =>
  fetch('${target}', { method: 'POST', mode: contentType === 'text/plain' ? 'no-cors' : 'cors', credentials: 'include',
    headers: { 'content-type': contentType }, body: '{}' }).catch(() => undefined);
document.forms[0].submit();
Promise.all([write('text/plain'), write('application/json')]).then(() => { document.title = 'Done'; });
</script>`;

interface Write {
  readonly status: number;
  readonly hasCookie: boolean;
}

/** What the dashboard responded to writes from now on. */
function recordWrites(page: Page): Promise<Write>[] {
  const writes: Promise<Write>[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (request.method() !== 'POST') return;
    const headers = request.allHeaders();
    writes.push(headers.then(({ cookie = '' }) => ({ status: response.status(), hasCookie: cookie !== '' })));
  });
  return writes;
}

describe.runIf(canBrowse)('another site', () => {
  // To a browser, another port of the same host is the same site, and cookies go there.
  test.for([
    ['of another host', '127.0.0.1', false],
    ['on another port of the same host', 'localhost', true],
  ] as const)('%s cannot log an owner out', async ([, host, carriesCookies]) => {
    const evil = await localServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(forgery(siteUrl('api/logout')));
    });
    const opened = await ownersBrowser();
    try {
      const { page } = await newPage(opened);
      const writes = recordWrites(page);
      const submitted = page.waitForResponse(
        (response) => response.request().isNavigationRequest() && response.url() === siteUrl('api/logout'),
      );
      await page.goto(evil.url.replace('127.0.0.1', host));
      await submitted;
      await page.waitForFunction('document.title === "Done"');
      const results = await Promise.all(writes);
      expect(results.length).toBeGreaterThanOrEqual(2);
      expect(results.filter(({ status }) => status < 400)).toEqual([]);
      expect(results.some(({ hasCookie }) => hasCookie)).toBe(carriesCookies);
      await open(page, 'account');
      await page.getByRole('button', { name: 'Log out' }).waitFor();
    } finally {
      await Promise.all([opened.close(), evil.close()]);
    }
  });

  test.for(['https://evil.example/account/', '//evil.example/account/', '/\\evil.example/account/'])(
    'cannot be the target of a log-in: %s',
    async (wish) => {
      const nina = await newPerson('Nina');
      const opened = await openBrowser();
      const { page } = await newPage(opened);
      await page.goto(siteUrl(`api/login?returnTo=${encodeURIComponent(wish)}`));
      await nina.logIn(page);
      await page.waitForURL((url) => url.origin !== dashboard().identityUrl);
      expect(page.url()).toBe(siteUrl(''));
      await opened.close();
    },
  );
});

/** Logs in, and returns the address by which the provider sent the browser back. */
async function callbackOf(opened: BrowserContext): Promise<string> {
  const { page } = await newPage(opened);
  const back = page.waitForRequest((request) => request.url().startsWith(siteUrl('api/callback')));
  await page.goto(siteUrl('api/login'));
  await signUp(page, 'Otto');
  await page.waitForURL(siteUrl(''));
  return (await back).url();
}

describe.runIf(canBrowse)('an attacker', () => {
  test('who planted a session in a browser does not share the owner’s session', async () => {
    const thief = await giveSession(dashboard().service.context, await newAccount('Thief'));
    const opened = await openBrowser();
    const [name = '', value = ''] = thief.cookie.split('=');
    await opened.addCookies([{ name, value, url: new URL(siteUrl('')).origin }]);
    await callbackOf(opened);
    const own = await sessionCookieOf(opened);
    expect(own).not.toBe(thief.cookie);
    expect([await sessionStatus(own), await sessionStatus(thief.cookie)]).toEqual([200, 401]);
    await opened.close();
  });

  test('who knows a log-in’s callback URL cannot use it, in another browser or again', async () => {
    const victim = await openBrowser();
    const url = await callbackOf(victim);
    const thief = await openBrowser();
    for (const opened of [thief, victim]) {
      const { page } = await newPage(opened);
      await page.goto(url);
      await page.waitForURL(`${siteUrl('')}?problem=expired`);
    }
    expect(await sessionCookieOf(thief)).toBe('');
    expect(await sessionStatus(await sessionCookieOf(victim))).toBe(200);
    await Promise.all([thief.close(), victim.close()]);
  });

  test('who guesses a hundred passwords concurrently has five of them checked', async () => {
    const { accountId, subject, username } = await newPerson('Pia');
    const opened = await ownersBrowser({}, { accountId, session: { subject, username } });
    const { page } = await newPage(opened);
    await page.goto(siteUrl('favicon.svg'));
    const body = JSON.stringify({ name: 'stolen', scopes, password: 'a guess' });
    const statuses = await page.evaluate<number[]>(`Promise.all(Array.from({ length: 100 }, () =>
      fetch('/account/api/tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${body}' })
        .then(({ status }) => status)))`);
    expect(statuses.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, index) => (index < passwordGuesses ? 403 : 429)),
    );
    await opened.close();
  });

  test('finds nothing by the ids of another account, on any route', async () => {
    const { accountId, service, token } = dashboard();
    const owner = await giveSession(service.context, accountId);
    const asOwner = async <Data>(operationId: Parameters<typeof callAsPage>[1], request: PageCall = {}) =>
      (await callAsPage(service.url, operationId, { cookie: owner.cookie, ...request })).body.data as Data;
    const { id: orderId } = await asOwner<{ id: string }>('createCreditOrder', { body: { packId: 'pack-100' } });
    const { tokens } = await asOwner<{ tokens: { tokenId: string }[] }>('listTokens');
    const ids: Readonly<Record<string, string>> = {
      taskId: await speak('Uma frase alheia.'),
      orderId,
      tokenId: tokens.at(-1)?.tokenId ?? '',
      sessionId: owner.session.sessionId,
    };
    const thief = await giveSession(service.context, await newAccount('Rui'));
    const asked = new Set<string>();
    for (const [operationId, name] of routesById) {
      if (ids[name] === undefined) continue;
      const [foreign, missing] = await Promise.all(
        [ids[name], service.context.ids.next()].map((id) =>
          callAsPage(service.url, operationId, { cookie: thief.cookie, params: { [name]: id } }),
        ),
      );
      expect([foreign?.status, foreign?.text], operationId).toEqual([404, missing?.text]);
      asked.add(name);
    }
    expect(asked).toEqual(new Set(Object.keys(ids)));
    expect([await sessionStatus(owner.cookie), await profileStatus(token)]).toEqual([200, 200]);
  });
});
