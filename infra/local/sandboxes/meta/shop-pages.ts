/** The start page of the sandbox, and the page of a shop: who writes to it, what it has posted, and who has access. */
import type { SentEvent } from '../event-sender.ts';
import { badge, type Entry, escaped, listed } from '../hosted-page.ts';
import { type Mood, moods } from './meta-http.ts';
import type { SandboxPage } from './meta-records.ts';
import type { MetaChange, MetaWorld } from './meta-world.ts';
import { button, channelNames, socialEventsField, socialPage, timeAt } from './page-parts.ts';

export const startDeeds = ['open-shop', 'set-mood', 'resend'] as const;
export const shopDeeds = ['write-new', 'revoke'] as const;

const mostShown = 50;

const isConnected = ({ subscribedFields }: SandboxPage): boolean => subscribedFields.length > 0;

const pageEntry = (page: SandboxPage): Entry => ({
  what: `${page.name} on ${channelNames[page.channel]}`,
  link: `/pages/${page.id}`,
  status: isConnected(page) ? 'connected' : 'not connected',
  detail: `@${page.username}, ${page.id}`,
});

const eventEntry = ({ change, status }: SentEvent<MetaChange>): Entry => ({
  what: change.kind === 'comment' ? `comment (${change.verb})` : change.kind,
  status: status === null ? 'no response' : `response ${status}`,
  detail: `${channelNames[change.channel]}, ${timeAt(change.at)}`,
});

export function startPage(world: MetaWorld, mood: Mood, sent: readonly SentEvent<MetaChange>[]): string {
  const pages = listed('Pages', world.pages().toReversed().slice(0, mostShown).map(pageEntry));
  const events = listed('Events sent, newest first', sent.toReversed().slice(0, mostShown).map(eventEntry));
  const options = moods.map((one) => `<option${one === mood ? ' selected' : ''}>${one}</option>`).join('');
  return socialPage({
    title: 'Social network sandbox',
    content: `<section><h1>Social network sandbox</h1>
${pages || '<p>There are no pages yet: connect an account, or open a shop.</p>'}
<form method="post">${button('open-shop', 'Open a shop')}</form>
<form method="post"><label>The Graph API <select name="mood">${options}</select></label>${button('set-mood', 'Change')}</form></section>
<section><div id="events" data-live>${events || '<h2>Events sent</h2><p>None yet.</p>'}</div>
<form method="post">${button('resend', 'Send the latest event again')}</form>
<p><a href="/events">All of them as JSON</a></p></section>`,
  });
}

function conversations(world: MetaWorld, page: SandboxPage): Entry[] {
  const all = world.people(page).flatMap((person) => {
    const [latest] = world.messagesWith(person);
    return latest ? [{ person, latest }] : [];
  });
  return all
    .toSorted((one, other) => other.latest.at - one.latest.at)
    .slice(0, mostShown)
    .map(({ person, latest }) => ({
      what: person.name,
      link: `/people/${person.id}`,
      status: timeAt(latest.at),
      detail: `${latest.isOwn ? 'Shop: ' : ''}${latest.text.slice(0, 100) || 'a photo'}`,
    }));
}

const postEntry =
  (world: MetaWorld) =>
  ({ id, caption, at }: { id: string; caption: string; at: number }): Entry => ({
    what: caption,
    link: `/posts/${id}`,
    status: `${world.comments(id).length} comments`,
    detail: timeAt(at),
  });

export function shopPage(world: MetaWorld, page: SandboxPage): string {
  const state = isConnected(page) ? badge('connected', 'good') : badge('not connected', 'wait');
  const posts = world.posts(page).slice(0, mostShown).map(postEntry(world));
  return socialPage({
    title: `${page.name} on ${channelNames[page.channel]}`,
    home: 'All pages',
    content: `<section><h1>${escaped(page.name)} on ${channelNames[page.channel]}</h1>
<p>${state}</p>
<div id="conversations" data-live>${listed('Conversations', conversations(world, page))}</div>
<div id="posts" data-live>${listed('Posts', posts)}</div></section>
<section><h2>Somebody new writes</h2><form method="post"><label>Name <input name="name" maxlength="60" required></label>
<label>Message <textarea name="text" rows="3" maxlength="1000" required></textarea></label>
${socialEventsField()}
${button('write-new', 'Send', 'main')}</form>
<h2>Access</h2><form method="post"><p class="muted">The owner of the page withdraws the consent: all tokens become invalid.</p>
${button('revoke', 'Revoke access', 'bad')}</form></section>`,
  });
}
