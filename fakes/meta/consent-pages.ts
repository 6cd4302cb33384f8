/** The dialogs in which the owner of pages lets the service manage them. */
import { type Channel, channels } from '../../shared/contracts/channels.ts';
import { PageFault, type PageRoute, pageRoute } from '../page-server.ts';
import type { SandboxPage as Page } from '../sandbox-page.ts';
import type { SandboxPage } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';
import type { OauthApi } from './oauth-api.ts';
import { newShop } from './social-pages.ts';

const paths: Readonly<Record<Channel, RegExp>> = {
  instagram: /^\/instagram\/oauth\/authorize$/,
  facebook: /^\/facebook\/v\d+\.\d+\/dialog\/oauth$/,
};

const newShopValue = 'new';

/** A dialog: for Facebook with several pages to select, for Instagram with the account's only one. */
function dialogPage(world: MetaWorld, channel: Channel): Page {
  const pages = world.pages().filter((page) => page.channel === channel);
  const choices = pages.map(({ id, name, username }) => [id, `${name}, @${username}`] as const);
  return {
    title: `Generation Service asks to read and answer messages and comments on ${channel}`,
    fields: [
      {
        name: 'pageId',
        label: 'Page',
        type: channel === 'instagram' ? 'radio' : 'checkbox',
        value: pages[0]?.id ?? newShopValue,
        options: [...choices, [newShopValue, 'A new shop, with customers who have already written']],
      },
    ],
  };
}

/** The selected pages. @throws {PageFault} if a page does not exist, or none was selected */
function chosenIn(world: MetaWorld, channel: Channel, values: readonly string[]): readonly SandboxPage[] {
  const pages = values.flatMap((value) => {
    const all = value === newShopValue ? newShop(world) : world.pages().filter(({ id }) => id === value);
    return all.filter((page) => page.channel === channel);
  });
  const isWrong = pages.length !== values.length || (channel === 'instagram' && values.length !== 1);
  if (isWrong) throw new PageFault(400, 'There is no such page.');
  return pages;
}

/** The URL to return to. @throws {PageFault} */
function returnUrl(query: URLSearchParams): URL {
  const url = URL.parse(query.get('redirect_uri') ?? '');
  if (url && query.get('response_type') === 'code') return url;
  throw new PageFault(400, 'redirect_uri and response_type=code are required.');
}

const withQuery = (url: URL, values: Readonly<Record<string, string>>): string => {
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
};

export const consentPages = (world: MetaWorld, oauth: OauthApi): readonly PageRoute[] =>
  channels.map((channel) =>
    pageRoute({
      path: paths[channel],
      show(_id, query) {
        returnUrl(query);
        return dialogPage(world, channel);
      },
      actions: ['allow', 'cancel'],
      press(_id, action, form, query) {
        const [url, state] = [returnUrl(query), query.get('state') ?? ''];
        if (action === 'cancel') return withQuery(url, { error: 'access_denied', error_reason: 'user_denied', state });
        const chosen = chosenIn(world, channel, form.getAll('pageId'));
        const code = oauth.consent(chosen, query.get('redirect_uri') ?? '');
        // Adds a URL fragment that is not part of the code, as Instagram does.
        return withQuery(url, { code, state }) + (channel === 'instagram' ? '#_' : '');
      },
    }),
  );
