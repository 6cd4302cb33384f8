/**
 * The pages on which a user writes to a shop as its customers, comments on its posts, and makes the social network
 * fail.
 */
import { eventDeliveries, type SentEvent } from '../event-sender.ts';
import { found, PageFault, type PageRoute, pageRoute } from '../page-server.ts';
import { type Entry, eventsField, type SandboxPage as Page, sentEntry, timeText } from '../sandbox-page.ts';
import { type Mood, moods } from './meta-http.ts';
import type { Person, SandboxComment, SandboxMessage, SandboxPage, SandboxPost } from './meta-records.ts';
import type { MetaChange, MetaWorld } from './meta-world.ts';

export interface SocialHost {
  readonly url: string;
  mood: Mood;
  resend(): Promise<void>;
}

type Sent = () => readonly SentEvent<MetaChange>[];

const maxShown = 60;

/**
 * The delivery faults that the page offers. Without `stale`, because the signatures of these events contain no time, so
 * that a receiver cannot reject old events.
 */
const events = eventsField(eventDeliveries.filter((delivery) => delivery !== 'stale'));

const home = ['/', 'All pages'] as const;

const titleOf = ({ name, channel }: SandboxPage): string =>
  `${name} on ${channel === 'instagram' ? 'Instagram' : 'Facebook'}`;

const connection = ({ subscribedFields }: SandboxPage): string =>
  subscribedFields.length > 0 ? 'connected' : 'not connected';

/** Creates a shop without an owner, with a page on each channel. */
export const newShop = (world: MetaWorld): readonly SandboxPage[] =>
  world.shopOf(`shop ${world.pages().length / 2 + 1}`);

function startPage(world: MetaWorld, { mood }: SocialHost, sent: ReturnType<Sent>): Page {
  const pages = world.pages().map((page) => ({
    what: titleOf(page),
    link: `/pages/${page.id}`,
    status: connection(page),
    detail: `@${page.username}, ${page.id}`,
  }));
  const sentEvents = sent.map(({ change: { kind, channel, at }, status }) =>
    sentEntry(kind, `${channel}, ${timeText(at)}`, status),
  );
  return {
    title: 'Social network sandbox',
    fields: [{ name: 'mood', label: 'The Graph API', value: mood, options: moods.map((one) => [one, one]) }],
    links: [['/events', 'Events sent, as JSON']],
    lists: [
      ['Pages, newest first', pages.toReversed().slice(0, maxShown)],
      ['Events sent, newest first', sentEvents.toReversed().slice(0, maxShown)],
    ],
  };
}

function shopPage(world: MetaWorld, page: SandboxPage): Page {
  const conversations = world.people(page).flatMap((person) => {
    const [latest] = world.messagesWith(person);
    const entry = { what: person.name, link: `/people/${person.id}` };
    return latest ? [{ ...entry, status: timeText(latest.at), detail: latest.text || 'a photo' }] : [];
  });
  const posts = world.posts(page).map(({ id, caption, at }) => ({
    what: caption,
    link: `/posts/${id}`,
    status: `${world.comments(id).length} comments`,
    detail: timeText(at),
  }));
  const newestFirst = conversations.toSorted((one, other) => other.status.localeCompare(one.status));
  return {
    title: titleOf(page),
    status: connection(page),
    fields: [
      { name: 'name', label: 'Name of a new customer' },
      { name: 'text', label: 'Message', type: 'textarea' },
      events,
    ],
    links: [home],
    lists: [
      ['Conversations', newestFirst.slice(0, maxShown)],
      ['Posts', posts.slice(0, maxShown)],
    ],
  };
}

function messageState({ isOwn, readAt, at }: SandboxMessage, seenAt: number | null): string {
  if (isOwn) return readAt === null ? 'new' : 'read';
  return seenAt !== null && seenAt >= at ? 'seen by the shop' : 'sent';
}

function chatPage(world: MetaWorld, person: Person): Page {
  const page = found(world.page(person.pageId), 'page');
  const entryOf = (message: SandboxMessage): Entry => ({
    what: message.text,
    ...(message.imageUrl !== null && { what: `${message.text} (photo)`, link: message.imageUrl }),
    status: messageState(message, person.seenAt),
    detail: `${message.isOwn ? page.name : person.name}, ${timeText(message.at)}`,
  });
  return {
    title: `${person.name} and ${titleOf(page)}`,
    status: world.canAnswer(person) ? 'The shop may reply' : 'The 24-hour window is closed',
    fields: [
      { name: 'text', label: `Message as ${person.name}`, type: 'textarea' },
      { name: 'photo', label: 'Photo', type: 'checkbox', options: [['yes', 'With a photo']] },
      events,
    ],
    links: [[`/pages/${page.id}`, `Other conversations of ${page.name}`], home],
    lists: [['Messages', world.messagesWith(person).slice(0, maxShown).map(entryOf)]],
  };
}

function postPage(world: MetaWorld, post: SandboxPost): Page {
  const page = found(world.page(post.pageId), 'page');
  const comments = world.comments(post.id).slice(0, maxShown);
  const nameOf = ({ personId }: SandboxComment): string =>
    (personId === null ? page.name : world.person(personId)?.name) ?? 'Unknown';
  const entryOf = (comment: SandboxComment): Entry => ({
    what: comment.text,
    status: [
      comment.likes === 1 ? '1 like' : `${comment.likes} likes`,
      ...(comment.isLiked ? ['liked by the shop'] : []),
      ...(comment.isHidden ? ['hidden by the shop'] : []),
    ].join(', '),
    detail: `${nameOf(comment)}, ${timeText(comment.at)}${comment.parentId === null ? '' : ', a reply'}`,
  });
  const options = comments.map((one) => [one.id, `${nameOf(one)}: ${one.text.slice(0, 40)}`] as const);
  const tops = options.filter((_, index) => comments[index]?.parentId === null);
  const people = world.people(page).slice(-maxShown);
  return {
    title: `A post of ${titleOf(page)}`,
    image: `/images/posts/${post.id}.svg`,
    facts: [['Caption', post.caption]],
    fields: [
      { name: 'personId', label: 'Comment as', options: people.map(({ id, name }) => [id, name]) },
      { name: 'parentId', label: 'In reply to', options: [['', 'the post'], ...tops] },
      { name: 'text', label: 'Comment', type: 'textarea' },
      { name: 'commentId', label: 'Comment to remove', options },
      events,
    ],
    links: [[`/pages/${page.id}`, `Other posts of ${page.name}`], home],
    lists: [['Comments, newest first', comments.map(entryOf)]],
  };
}

function given(form: URLSearchParams, name: string): string {
  const value = (form.get(name) ?? '').trim();
  if (value === '') throw new PageFault(400, `${name} is required.`);
  return value;
}

function startRoute(world: MetaWorld, host: SocialHost, sent: Sent): PageRoute {
  return pageRoute({
    path: /^\/$/,
    show: () => startPage(world, host, sent()),
    actions: ['open-shop', 'set-mood', 'resend'],
    press(_id, action, form) {
      if (action === 'open-shop') newShop(world);
      if (action === 'resend') host.resend().catch(() => undefined);
      const mood = moods.find((one) => one === form.get('mood'));
      if (action === 'set-mood' && !mood) throw new PageFault(400, `mood must be one of ${moods.join(', ')}.`);
      if (action === 'set-mood' && mood) host.mood = mood;
      return '/';
    },
  });
}

function shopRoute(world: MetaWorld): PageRoute {
  const find = (id: string): SandboxPage => found(world.page(id), 'page');
  return pageRoute({
    path: /^\/pages\/(\w+)$/,
    show: (id) => shopPage(world, find(id)),
    actions: ['write-new', 'revoke'],
    press(id, action, form) {
      const page = find(id);
      if (action === 'revoke') {
        world.revoke(page);
        return `/pages/${id}`;
      }
      const [name, text] = [given(form, 'name'), given(form, 'text')];
      const person = world.addPerson(page, name);
      world.write(person, text);
      return `/people/${person.id}`;
    },
  });
}

function chatRoute(world: MetaWorld, { url }: SocialHost): PageRoute {
  const find = (id: string): Person => found(world.person(id), 'person');
  return pageRoute({
    path: /^\/people\/(\w+)$/,
    show: (id) => chatPage(world, find(id)),
    actions: ['write', 'read', 'unsend', 'close-window'],
    press(id, action, form) {
      const person = find(id);
      const photo = form.get('photo') === 'yes' ? { imageUrl: `${url}/images/posts/${id}.svg` } : {};
      const last = world.messagesWith(person).find(({ isOwn }) => !isOwn);
      if (action === 'write') world.write(person, given(form, 'text'), photo);
      if (action === 'read') world.read(person);
      if (action === 'unsend' && last) world.unsend(last);
      if (action === 'close-window') world.closeWindow(person);
      return `/people/${id}`;
    },
  });
}

function postRoute(world: MetaWorld): PageRoute {
  const find = (id: string): SandboxPost => found(world.post(id), 'post');
  return pageRoute({
    path: /^\/posts\/(\w+)$/,
    show: (id) => postPage(world, find(id)),
    actions: ['comment', 'remove'],
    press(id, action, form) {
      if (action === 'remove') {
        const comment = world.comment(form.get('commentId') ?? '');
        world.remove(found(comment?.postId === id ? comment : undefined, 'comment'));
        return `/posts/${id}`;
      }
      const [post, person] = [find(id), world.person(form.get('personId') ?? '')];
      const { id: personId } = found(person?.pageId === post.pageId ? person : undefined, 'person');
      world.addComment(post, personId, given(form, 'text'), { parentId: form.get('parentId') || null });
      return `/posts/${id}`;
    },
  });
}

export const socialPages = (world: MetaWorld, host: SocialHost, sent: Sent): readonly PageRoute[] => [
  startRoute(world, host, sent),
  shopRoute(world),
  chatRoute(world, host),
  postRoute(world),
];
