/** The page on which a person writes to a shop as a customer. */
import { badge, escaped } from '../hosted-page.ts';
import type { Person, SandboxMessage, SandboxPage } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';
import { button, channelNames, socialEventsField, socialPage, timeAt } from './page-parts.ts';

export const chatDeeds = ['write', 'read', 'unsend', 'close-window'] as const;

const stateOf = ({ isOwn, readAt, at }: SandboxMessage, seenAt: number | null): string => {
  if (isOwn) return readAt === null ? 'new' : 'read';
  return seenAt !== null && seenAt >= at ? 'seen by the shop' : 'sent';
};

function bubble(message: SandboxMessage, { seenAt }: Person): string {
  const { isOwn, text, imageUrl, at } = message;
  const image = imageUrl === null ? '' : `<img alt="Photo" src="${escaped(imageUrl)}">`;
  const words = text === '' ? '' : `<p>${escaped(text)}</p>`;
  const state = stateOf(message, seenAt);
  return `<li${isOwn ? '' : ' class="mine"'}>${image}${words}<small>${timeAt(at)}, ${state}</small></li>`;
}

const mostShown = 100;

export function chatPage(world: MetaWorld, page: SandboxPage, person: Person): string {
  const messages = world.messagesWith(person).slice(0, mostShown).toReversed();
  const canAnswer = world.canAnswer(person);
  return socialPage({
    title: `${person.name} and ${page.name}`,
    home: 'All pages',
    content: `<section><h1>${escaped(person.name)} and ${escaped(page.name)} on ${channelNames[page.channel]}</h1>
<p><a href="/pages/${page.id}">Other conversations of ${escaped(page.name)}</a></p>
<div id="thread" data-live><ol class="thread" aria-label="Messages">${messages.map((one) => bubble(one, person)).join('')}</ol></div></section>
<section><div id="window" data-live><p>${badge(canAnswer ? 'The shop may reply' : 'The 24-hour window is closed', canAnswer ? 'good' : 'wait')}</p></div>
<form method="post"><label>Message as ${escaped(person.name)} <textarea name="text" rows="3" maxlength="1000" required></textarea></label>
<label class="check"><input type="checkbox" name="photo" value="yes"> With a photo</label>
${socialEventsField()}
${button('write', 'Send', 'main')}</form>
<form method="post"><div class="pair">${button('read', 'Read the replies')}
${button('unsend', 'Unsend the last message')}
${button('close-window', 'Close the 24-hour window', 'bad')}</div></form></section>`,
  });
}
