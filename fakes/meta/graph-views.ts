/** Presents stored objects as the Graph API does, with the requested fields. */
import { invalidParameter } from './graph-error.ts';
import type { Person, SandboxComment, SandboxMessage, SandboxPage, SandboxPost } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';

/** A time in whole seconds, with an offset without a colon. */
const dated = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+0000`;

/** Splits at commas outside braces, as in `id,replies{id,text}`; modifiers follow a dot, as in `comments.limit(0)`. */
export const fieldsIn = (text: string): string[] => text.match(/[^,{]+(\{[^}]*\})?/g) ?? [];

type View = Readonly<Record<string, unknown>>;

/** Selects the requested fields; unknown values, such as a name that the social network hides, are left out. */
export function withFields(view: View, asked: string | null, usual: string): View {
  const names = fieldsIn(asked ?? usual).map((field) => field.replace(/[.{].*/, ''));
  const unknown = names.find((name) => !(name in view));
  if (unknown !== undefined) throw invalidParameter(`Tried accessing nonexisting field (${unknown})`);
  const pairs = ['id', ...names].map((name) => [name, view[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

export const pageView = ({ id, channel, name, username, userId }: SandboxPage): View =>
  channel === 'instagram' ? { id: userId, user_id: id, name, username } : { id, name, username };

export const conversationId = ({ id }: Person): string => `t_${id}`;

const partyOf = ({ channel, id, name, username }: { channel: string; id: string; name: string; username: string }) =>
  channel === 'instagram' ? { id, username } : { id, name };

export function conversationView(page: SandboxPage, person: Person, updatedAt: number): View {
  const parties = [page, { ...person, channel: page.channel }].map(partyOf);
  return { id: conversationId(person), updated_time: dated(updatedAt), participants: { data: parties } };
}

export const personView = (page: SandboxPage, { id, name, username }: Person, imagesUrl: string): View => ({
  id,
  name,
  ...(page.channel === 'instagram' && { username }),
  profile_pic: `${imagesUrl}/people/${id}.svg`,
});

export function messageView(page: SandboxPage, person: Person, message: SandboxMessage, isDetailed: boolean): View {
  const dates = { id: message.id, created_time: dated(message.at) };
  const details = { from: undefined, to: undefined, message: undefined, attachments: undefined, shares: undefined };
  if (!isDetailed) return { ...dates, ...details };
  const [from, to] = [page, { ...person, channel: page.channel }].map(partyOf);
  const image = message.imageUrl === null ? undefined : { image_data: { url: message.imageUrl } };
  return {
    ...dates,
    ...details,
    from: message.isOwn ? from : to,
    to: { data: [message.isOwn ? to : from] },
    message: message.text,
    attachments: image && { data: [{ id: '1', mime_type: 'image/svg+xml', ...image }] },
  };
}

export function postView(
  { channel, username }: SandboxPage,
  { id, caption, at }: SandboxPost,
  { comments, imagesUrl }: { readonly comments: readonly SandboxComment[]; readonly imagesUrl: string },
): View {
  const image = `${imagesUrl}/posts/${id}.svg`;
  if (channel === 'facebook') {
    const permalink = `https://www.facebook.com/${id}`;
    const summary = { order: 'chronological', total_count: comments.length };
    return {
      id,
      message: caption,
      full_picture: image,
      permalink_url: permalink,
      created_time: dated(at),
      comments: { data: [], summary },
    };
  }
  return {
    id,
    caption,
    media_type: 'IMAGE',
    media_url: image,
    thumbnail_url: undefined,
    permalink: `https://www.instagram.com/${username}/p/${id}/`,
    timestamp: dated(at),
    comments_count: comments.length,
  };
}

/** Presents a comment: on Instagram with its replies, on Facebook with its parent. */
export function commentView(page: SandboxPage, world: MetaWorld, comment: SandboxComment): View {
  const { id, text, at, parentId, personId, isHidden, isLiked, likes } = comment;
  const author = personId === null ? page : world.person(personId);
  if (page.channel === 'facebook') {
    const parent = parentId === null ? undefined : { id: parentId };
    const marks = { is_hidden: isHidden, user_likes: isLiked, like_count: likes };
    const from = author && { id: author.id, name: author.name };
    return { id, message: text, created_time: dated(at), from, parent, ...marks };
  }
  const from = author && { id: author.id, username: author.username };
  const marks = { hidden: isHidden, like_count: likes, parent_id: parentId ?? undefined, replies: undefined };
  return { id, text, timestamp: dated(at), username: author?.username, from, ...marks };
}
