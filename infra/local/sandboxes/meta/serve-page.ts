/** Serves the pages of the sandbox, and does what their buttons say: a program may press them by the same forms. */
import type { EventFate, SentEvent } from '../event-sender.ts';
import { html, json, type PageReply, type PageRequest, pressIn, redirect, text } from '../page-reply.ts';
import { chatDeeds, chatPage } from './chat-page.ts';
import { dialogChannel, serveDialog } from './consent-page.ts';
import { type Mood, moods } from './meta-http.ts';
import type { Person, SandboxPage, SandboxPost } from './meta-records.ts';
import type { MetaChange, MetaWorld } from './meta-world.ts';
import type { OauthApi } from './oauth-api.ts';
import { postDeeds, postPage } from './post-page.ts';
import { shopDeeds, shopPage, startDeeds, startPage } from './shop-pages.ts';
import { photograph, portrait } from './svg-image.ts';

export interface PageServices {
  readonly host: { readonly url: string; events: EventFate; mood: Mood; resend(): Promise<void> };
  readonly world: MetaWorld;
  readonly oauth: OauthApi;
  readonly sentEvents: () => readonly SentEvent<MetaChange>[];
}

const missing = (what: string): PageReply => text(404, `There is no such ${what}.`);

const textIn = (form: URLSearchParams): string => (form.get('text') ?? '').trim();

/** Sends the events of what is done as the form says, and returns to the page. */
function doing({ host }: PageServices, events: EventFate, back: string, deed: () => void): PageReply {
  const usual = host.events;
  host.events = events;
  try {
    deed();
  } finally {
    host.events = usual;
  }
  return redirect(back);
}

function pressStart(services: PageServices, form: URLSearchParams): PageReply {
  const { host, world } = services;
  const pressed = pressIn(form, startDeeds);
  if ('status' in pressed) return pressed;
  if (pressed.deed === 'open-shop') world.shopOf(`shop ${world.pages().length / 2 + 1}`);
  if (pressed.deed === 'resend') host.resend().catch(() => undefined);
  if (pressed.deed === 'set-mood') {
    const mood = moods.find((one) => one === form.get('mood'));
    if (!mood) return text(400, `mood must be one of ${moods.join(', ')}.`);
    host.mood = mood;
  }
  return redirect('/');
}

function pressShop(services: PageServices, page: SandboxPage, form: URLSearchParams): PageReply {
  const { world } = services;
  const pressed = pressIn(form, shopDeeds);
  if ('status' in pressed) return pressed;
  const [name, content] = [(form.get('name') ?? '').trim(), textIn(form)];
  if (pressed.deed === 'revoke') return doing(services, pressed.events, `/pages/${page.id}`, () => world.revoke(page));
  if (name === '' || content === '') return text(400, 'name and text are required.');
  const person = world.addPerson(page, name);
  return doing(services, pressed.events, `/people/${person.id}`, () => void world.write(person, content));
}

function pressChat(services: PageServices, person: Person, form: URLSearchParams): PageReply {
  const { host, world } = services;
  const pressed = pressIn(form, chatDeeds);
  if ('status' in pressed) return pressed;
  const content = textIn(form);
  if (pressed.deed === 'write' && content === '') return text(400, 'text is required.');
  const photo = form.get('photo') === 'yes' ? { imageUrl: `${host.url}/images/posts/${person.id}.svg` } : {};
  const last = world.messagesWith(person).find(({ isOwn }) => !isOwn);
  const deeds = {
    write: () => void world.write(person, content, photo),
    read: () => world.read(person),
    unsend: () => last && world.unsend(last),
    'close-window': () => world.closeWindow(person),
  };
  return doing(services, pressed.events, `/people/${person.id}`, deeds[pressed.deed]);
}

function pressPost(services: PageServices, post: SandboxPost, form: URLSearchParams): PageReply {
  const { world } = services;
  const pressed = pressIn(form, postDeeds);
  if ('status' in pressed) return pressed;
  const back = `/posts/${post.id}`;
  if (pressed.deed === 'remove') {
    const comment = world.comment(form.get('commentId') ?? '');
    return comment?.postId === post.id
      ? doing(services, pressed.events, back, () => world.remove(comment))
      : missing('comment');
  }
  const person = world.person(form.get('personId') ?? '');
  const content = textIn(form);
  if (person?.pageId !== post.pageId || content === '') return text(400, 'personId and text are required.');
  const parentId = form.get('parentId') || null;
  return doing(services, pressed.events, back, () => void world.addComment(post, person.id, content, { parentId }));
}

function serveImage({ world }: PageServices, pathname: string): PageReply | undefined {
  const [, kind, id = ''] = /^\/images\/(people|posts)\/(\w+)\.svg$/.exec(pathname) ?? [];
  if (kind === undefined) return undefined;
  const body = kind === 'posts' ? photograph(id) : portrait(world.person(id)?.name ?? '?');
  return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body };
}

type Serve = (services: PageServices, id: string, form: URLSearchParams | undefined) => PageReply;

const served: Readonly<Record<string, Serve>> = {
  pages(services, id, form) {
    const page = services.world.page(id);
    if (!page) return missing('page');
    return form ? pressShop(services, page, form) : html(shopPage(services.world, page));
  },
  people(services, id, form) {
    const { world } = services;
    const person = world.person(id);
    const page = person && world.page(person.pageId);
    if (!page) return missing('person');
    return form ? pressChat(services, person, form) : html(chatPage(world, page, person));
  },
  posts(services, id, form) {
    const { world } = services;
    const post = world.post(id);
    const page = post && world.page(post.pageId);
    if (!page) return missing('post');
    return form ? pressPost(services, post, form) : html(postPage(world, page, post));
  },
};

/** Undefined if the path is none of a page's. */
export function servePage(services: PageServices, request: PageRequest): PageReply | undefined {
  const { url, form } = request;
  const { pathname } = url;
  const channel = dialogChannel(pathname);
  if (channel) return serveDialog({ ...services, channel }, request);
  if (pathname === '/events') return json(services.sentEvents());
  if (pathname === '/')
    return form
      ? pressStart(services, form)
      : html(startPage(services.world, services.host.mood, services.sentEvents()));
  const [, kind = '', id = ''] = /^\/(pages|people|posts)\/(\w+)$/.exec(pathname) ?? [];
  return served[kind]?.(services, id, form) ?? serveImage(services, pathname);
}
