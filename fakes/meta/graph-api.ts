/** The parts of the Graph API that the service uses, for the page of the request's token. */
import * as z from 'zod';
import { GraphError, invalidParameter, missingObject } from './graph-error.ts';
import { graphList } from './graph-list.ts';
import {
  commentView,
  conversationId,
  conversationView,
  fieldsIn,
  messageView,
  pageView,
  personView,
  postView,
  withFields,
} from './graph-views.ts';
import type { Person, SandboxComment, SandboxPage, SandboxPost } from './meta-records.ts';
import type { MetaWorld } from './meta-world.ts';

export interface GraphCall {
  readonly method: string;
  /** The path after the version, such as `/me/messages`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parameters of a form or a JSON body. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The URL of the request, with its token. */
  readonly url: string;
  readonly imagesUrl: string;
  /**
   * For how many of a conversation's newest messages the API returns all fields; of older ones it returns only the id
   * and the time.
   */
  readonly detailedMessages: number;
}

interface Scene {
  readonly world: MetaWorld;
  readonly page: SandboxPage;
  readonly call: GraphCall;
}

const success = { success: true };

const maxTextBytes = 1000;
const maxTextCharacters = 2000;

const Sending = z.union([
  z.object({ recipient: z.object({ id: z.string() }), message: z.object({ text: z.string().min(1) }) }),
  z.object({
    recipient: z.object({ id: z.string() }),
    sender_action: z.enum(['mark_seen', 'typing_on', 'typing_off']),
  }),
]);

const outside = {
  instagram: { code: 10, subcode: 2_534_022, status: 403 },
  facebook: { code: 10, subcode: 2_018_278, status: 403 },
} as const;

function sendMessage({ world, page, call }: Scene): object {
  const { data } = Sending.safeParse(call.parameters);
  if (!data) throw invalidParameter('Invalid message');
  const person = world.person(data.recipient.id);
  if (person?.pageId !== page.id) throw new GraphError('No matching user found', { code: 100, subcode: 2_018_001 });
  if ('sender_action' in data) {
    if (data.sender_action === 'mark_seen') world.see(person);
    return { recipient_id: person.id };
  }
  const { text } = data.message;
  const isLong =
    page.channel === 'instagram' ? Buffer.byteLength(text) > maxTextBytes : text.length > maxTextCharacters;
  if (isLong) throw invalidParameter('Length of param message[text] must be less than or equal to the limit');
  if (!world.canAnswer(person)) throw new GraphError('(#10) Outside of allowed window', outside[page.channel]);
  return { recipient_id: person.id, message_id: world.send(person, text).id };
}

const people = ({ world, page }: Scene): { person: Person; id: string; at: number }[] =>
  world
    .people(page)
    .flatMap((person) => {
      const [latest] = world.messagesWith(person);
      return latest ? [{ person, id: conversationId(person), at: latest.at }] : [];
    })
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));

function listConversations(scene: Scene): object {
  const { page, call } = scene;
  const platform = call.query.get('platform');
  if (platform !== (page.channel === 'instagram' ? 'instagram' : 'messenger'))
    throw invalidParameter('Param platform must be one of the platforms of the page');
  const [fields, userId] = [call.query.get('fields'), call.query.get('user_id')];
  const found = people(scene).filter(({ person }) => userId === null || person.id === userId);
  return graphList(found, call, ({ person, at }) =>
    withFields(conversationView(page, person, at), fields, 'updated_time'),
  );
}

function listComments({ world, page, call }: Scene, comments: readonly SandboxComment[]): object {
  const fields = call.query.get('fields');
  const [, replyFields] = /replies\{([^}]*)\}/.exec(fields ?? '') ?? [];
  const view = (comment: SandboxComment) => withFields(commentView(page, world, comment), fields, 'text,timestamp');
  if (replyFields === undefined) return graphList(comments, call, view);
  return graphList(comments, call, (comment) => {
    const replies = world.comments(comment.postId).filter(({ parentId }) => parentId === comment.id);
    if (replies.length === 0) return view(comment);
    const url = call.url.replace(/[^/]*\/comments/, `${comment.id}/replies`);
    const list = graphList(replies, { query: new URLSearchParams(), url }, (reply) =>
      withFields(commentView(page, world, reply), replyFields, 'text'),
    );
    return { ...view(comment), replies: list };
  });
}

/** Lists posts. The count of comments includes replies on Instagram, and on Facebook with the `stream` filter. */
function listPosts({ world, page, call }: Scene): object {
  const fields = call.query.get('fields');
  const isWhole = page.channel === 'instagram' || fields?.includes('comments.filter(stream)') === true;
  return graphList(world.posts(page), call, (post) => {
    const comments = world.comments(post.id).filter(({ parentId }) => isWhole || parentId === null);
    return withFields(postView(page, post, { comments, imagesUrl: call.imagesUrl }), fields, 'id');
  });
}

/** Lists comments: top-level ones only, except on Facebook with the `stream` filter. */
function commentsOf(scene: Scene, post: SandboxPost): object {
  const { world, page, call } = scene;
  const all = world.comments(post.id);
  const isStream = page.channel === 'facebook' && call.query.get('filter') === 'stream';
  return listComments(scene, isStream ? all : all.filter(({ parentId }) => parentId === null));
}

function addComment({ world, call }: Scene, post: SandboxPost, parent?: SandboxComment): object {
  const { message } = call.parameters;
  if (typeof message !== 'string' || message === '') throw invalidParameter('Param message must not be empty');
  if (parent?.isHidden) throw invalidParameter('A hidden comment cannot be replied to');
  return { id: world.addComment(post, null, message, { parentId: parent?.id ?? null }).id };
}

const subscribedFields = ({ parameters: { subscribed_fields: fields } }: GraphCall): string[] =>
  typeof fields === 'string' ? fieldsIn(fields) : [];

function aboutPage(scene: Scene, edge: string | undefined): object | undefined {
  const { world, page, call } = scene;
  const fields = call.query.get('fields');
  switch (`${call.method} ${edge ?? ''}`) {
    case 'GET ':
      return withFields(pageView(page), fields, 'name');
    case 'GET conversations':
      return listConversations(scene);
    case 'GET media':
    case 'GET published_posts':
      return (edge === 'media') === (page.channel === 'instagram') ? listPosts(scene) : undefined;
    case 'POST messages':
      return sendMessage(scene);
    case 'POST subscribed_apps':
      world.subscribe(page, subscribedFields(call));
      return success;
    case 'DELETE subscribed_apps':
      world.subscribe(page, []);
      return success;
    default:
      return undefined;
  }
}

function aboutPerson({ world, page, call }: Scene, person: Person, edge: string | undefined): object | undefined {
  const fields = call.query.get('fields');
  if (call.method !== 'GET') return undefined;
  if (edge === undefined) return withFields(personView(page, person, call.imagesUrl), fields, 'name');
  if (edge !== 'messages') return undefined;
  const messages = world.messagesWith(person);
  const detailed = new Set(messages.slice(0, call.detailedMessages));
  return graphList(messages, call, (message) =>
    withFields(messageView(page, person, message, detailed.has(message)), fields, 'created_time'),
  );
}

function hideComment({ world, page, call }: Scene, comment: SandboxComment): object {
  const hide = call.parameters[page.channel === 'instagram' ? 'hide' : 'is_hidden'];
  if (hide !== 'true' && hide !== 'false') throw invalidParameter('Nothing to change');
  world.hide(comment, hide === 'true');
  return success;
}

function aboutComment(scene: Scene, comment: SandboxComment, edge: string | undefined): object | undefined {
  const { world, page, call } = scene;
  const post = world.post(comment.postId);
  const replies = page.channel === 'instagram' ? 'replies' : 'comments';
  if (edge === undefined && call.method === 'POST') return hideComment(scene, comment);
  if (edge === 'likes' && page.channel === 'facebook' && call.method !== 'GET') {
    world.like(comment, call.method === 'POST');
    return success;
  }
  if (edge !== replies || !post) return undefined;
  if (call.method === 'GET') {
    const found = world.comments(post.id).filter(({ parentId }) => parentId === comment.id);
    return listComments(scene, found);
  }
  if (page.channel === 'instagram' && comment.parentId !== null)
    throw invalidParameter('Only comments at the top can be replied to');
  return addComment(scene, post, comment);
}

function aboutPost(scene: Scene, post: SandboxPost, edge: string | undefined): object | undefined {
  if (edge !== 'comments') return undefined;
  return scene.call.method === 'GET' ? commentsOf(scene, post) : addComment(scene, post);
}

/** Finds an object of the page; objects of other pages count as missing. @throws {GraphError} */
export function graphReply(world: MetaWorld, page: SandboxPage, call: GraphCall): object {
  const scene = { world, page, call };
  const [, id = '', edge] = call.path.split('/').map(decodeURIComponent);
  const own = <One extends { pageId: string }>(one: One | undefined) => (one?.pageId === page.id ? one : undefined);
  const person = own(world.person(id.replace(/^t_/, '')));
  const [post, comment] = [own(world.post(id)), own(world.comment(id))];
  const reply =
    (id === 'me' && aboutPage(scene, edge)) ||
    (person && aboutPerson(scene, person, edge)) ||
    (comment && aboutComment(scene, comment, edge)) ||
    (post && aboutPost(scene, post, edge));
  if (!reply) throw missingObject(id);
  return reply;
}
