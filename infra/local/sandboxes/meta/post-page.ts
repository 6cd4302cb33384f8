/** The page on which people comment under a shop's post. */
import { escaped } from '../hosted-page.ts';
import type { SandboxComment, SandboxPage, SandboxPost } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';
import { button, channelNames, socialEventsField, socialPage, timeAt } from './page-parts.ts';

export const postDeeds = ['comment', 'remove'] as const;

const nameOf = (world: MetaWorld, page: SandboxPage, { personId }: SandboxComment): string =>
  (personId === null ? page.name : world.person(personId)?.name) ?? 'Somebody';

function marksOf({ likes, isLiked, isHidden }: SandboxComment): string {
  const count = likes === 1 ? '1 like' : `${likes} likes`;
  return [count, ...(isLiked ? ['liked by the shop'] : []), ...(isHidden ? ['hidden by the shop'] : [])].join(', ');
}

function commentRow(world: MetaWorld, page: SandboxPage, comment: SandboxComment): string {
  const { id, parentId, isHidden, text, at } = comment;
  const name = nameOf(world, page, comment);
  const classes = [...(parentId === null ? [] : ['reply']), ...(isHidden ? ['hidden'] : [])].join(' ');
  return `<li class="${classes}"><div><strong>${escaped(name)}</strong> <p>${escaped(text)}</p><small>${timeAt(at)}, ${marksOf(comment)}</small></div>
<form method="post"><input type="hidden" name="commentId" value="${id}"><button name="deed" value="remove" aria-label="Remove the comment of ${escaped(name)}">Remove</button></form></li>`;
}

/** Each with its replies, oldest first. */
const threaded = (comments: readonly SandboxComment[]): SandboxComment[] =>
  comments
    .filter(({ parentId }) => parentId === null)
    .toReversed()
    .flatMap((top) => [top, ...comments.filter(({ parentId }) => parentId === top.id).toReversed()]);

const option = (value: string, label: string): string => `<option value="${value}">${escaped(label)}</option>`;

const mostShown = 60;
const longestLabel = 40;

export function postPage(world: MetaWorld, page: SandboxPage, post: SandboxPost): string {
  const comments = threaded(world.comments(post.id).slice(0, mostShown));
  const tops = comments.filter(({ parentId, personId }) => parentId === null && personId !== null);
  const people = world.people(page).slice(-mostShown);
  return socialPage({
    title: `A post of ${page.name}`,
    home: 'All pages',
    content: `<section><h1>A post of ${escaped(page.name)} on ${channelNames[page.channel]}</h1>
<p><a href="/pages/${page.id}">Other posts of ${escaped(page.name)}</a></p>
<img class="photo" alt="" src="/images/posts/${post.id}.svg"><p>${escaped(post.caption)}</p>
<form method="post"><label>Comment as <select name="personId">${people.map(({ id, name }) => option(id, name)).join('')}</select></label>
<label>In reply to <select name="parentId">${option('', 'the post')}${tops.map((top) => option(top.id, `${nameOf(world, page, top)}: ${top.text.slice(0, longestLabel)}`)).join('')}</select></label>
<label>Comment <textarea name="text" rows="2" maxlength="2000" required></textarea></label>
${socialEventsField()}
${button('comment', 'Comment', 'main')}</form></section>
<section><h2>Comments</h2><div id="comments" data-live><ol class="comments">${comments.map((one) => commentRow(world, page, one)).join('') || '<li>There are none yet.</li>'}</ol></div></section>`,
  });
}
