/** The page on which the owner of a page lets the service act for it. */
import type { Channel } from '../../../../shared/contracts/channels.ts';
import { escaped } from '../hosted-page.ts';
import { html, type PageReply, type PageRequest, redirect, text } from '../page-reply.ts';
import type { SandboxPage } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';
import type { OauthApi } from './oauth-api.ts';
import { button, channelNames, socialPage } from './page-parts.ts';

const dialogPath = /^\/(?:(instagram)\/oauth\/authorize|(facebook)\/v\d+\.\d+\/dialog\/oauth)$/;

/** The channel whose dialog it is. */
export function dialogChannel(pathname: string): Channel | undefined {
  const [, instagram, facebook] = dialogPath.exec(pathname) ?? [];
  if (instagram) return 'instagram';
  return facebook ? 'facebook' : undefined;
}

const newShopValue = 'new';

/** Somebody may grant several pages of Facebook at once, and the only one that an account of Instagram is. */
const choice = (channel: Channel, value: string, label: string, detail: string, isFirst: boolean): string =>
  `<label class="choice"><input type="${channel === 'instagram' ? 'radio' : 'checkbox'}" name="pageId" value="${value}"${isFirst ? ' checked' : ''}><span>${escaped(label)}<small>${escaped(detail)}</small></span></label>`;

function dialogPage(channel: Channel, pages: readonly SandboxPage[]): string {
  const choices = pages.map(({ id, name, username }, index) => choice(channel, id, name, `@${username}`, index === 0));
  return socialPage({
    title: `Log in to ${channelNames[channel]}`,
    content: `<section class="wide"><h1>Generation Service asks for access to your page on ${channelNames[channel]}</h1>
<form method="post"><fieldset><legend>Page</legend>
${choices.join('\n')}
${choice(channel, newShopValue, 'A new shop', 'with people who have already written', pages.length === 0)}</fieldset>
<p class="muted">It may read and answer messages and comments.</p>
<div class="pair">${button('allow', 'Allow', 'main')}${button('cancel', 'Cancel')}</div></form></section>`,
  });
}

const returned = (redirectUrl: string, values: Readonly<Record<string, string>>, end = ''): PageReply => {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return redirect(url.href + end);
};

/** The pages of that name; undefined if there is one that does not exist, or none where one must be chosen. */
function chosenIn(world: MetaWorld, channel: Channel, values: readonly string[]): readonly SandboxPage[] | undefined {
  if (channel === 'instagram' && values.length !== 1) return undefined;
  const pages = values.map((value) => {
    const shop = value === newShopValue ? world.shopOf(`shop ${world.pages().length / 2 + 1}`) : world.pages();
    return shop.find(({ id, channel: own }) => own === channel && (value === newShopValue || id === value));
  });
  return pages.every((page) => page !== undefined) ? pages : undefined;
}

interface Dialog {
  readonly world: MetaWorld;
  readonly oauth: OauthApi;
  readonly channel: Channel;
}

export function serveDialog({ world, oauth, channel }: Dialog, { url, form }: PageRequest): PageReply {
  const query = url.searchParams;
  const redirectUrl = query.get('redirect_uri') ?? '';
  const state = query.get('state') ?? '';
  if (!URL.canParse(redirectUrl) || query.get('response_type') !== 'code')
    return text(400, 'redirect_uri and response_type=code are required.');
  const pages = world.pages().filter((page) => page.channel === channel);
  if (!form) return html(dialogPage(channel, pages));
  if (form.get('deed') !== 'allow')
    return returned(redirectUrl, { error: 'access_denied', error_reason: 'user_denied', state });
  const chosen = chosenIn(world, channel, form.getAll('pageId'));
  if (!chosen) return text(400, 'There is no such page.');
  // As Instagram does, which adds a fragment that is not part of the code.
  return returned(
    redirectUrl,
    { code: oauth.consent(chosen, redirectUrl), state },
    channel === 'instagram' ? '#_' : '',
  );
}
