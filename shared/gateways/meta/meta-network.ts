/** Adapter to Instagram (with Instagram Login) and to Facebook pages, both of which use Meta's Graph API. */
import * as z from 'zod';
import { outsideId } from '../outside-fields.ts';
import type { PageAccess, SocialNetwork } from '../social-network.ts';
import * as facebook from './facebook-content.ts';
import { type GraphClient, type GraphServer, graphClient } from './graph-client.ts';
import { instagramComments } from './instagram-comments.ts';
import {
  conversationFields,
  conversationReader,
  messageFields,
  messageReader,
  ParticipantProfile,
  profileFields,
  Sent,
} from './meta-conversation.ts';
import { verifiedEvents } from './meta-event.ts';
import { flavorOf, node } from './page-flavor.ts';
import { identityOf } from './page-identity.ts';
import { withdrawalInSignedRequest } from './signed-request.ts';

export interface MetaAccess extends GraphServer {
  /**
   * The secrets of the apps whose events are received, read on each use; there are several while one is being replaced.
   */
  readonly appSecrets: () => Promise<readonly string[]>;
  /** The app with which tokens of Facebook pages are inspected; undefined if there is none. */
  readonly facebookApp: () => Promise<{ readonly id: string; readonly secret: string } | undefined>;
}

const pageSize = '50';

const Created = z.object({ id: outsideId() });

type Reads = Pick<
  SocialNetwork,
  'conversations' | 'conversationsWith' | 'participant' | 'messages' | 'posts' | 'comments' | 'replies'
>;

function readsOf(client: GraphClient): Reads {
  const conversations = (access: PageAccess, cursor: string | undefined, filter: Readonly<Record<string, string>>) => {
    const query = { platform: flavorOf(access).platform, fields: conversationFields, limit: pageSize, ...filter };
    const request = { path: '/me/conversations', query, isAboutPage: true };
    return client.list(access, request, cursor, conversationReader(access.pageId, client.now()));
  };
  return {
    conversations: (access, cursor) => conversations(access, cursor, {}),

    conversationsWith: (access, participantId, cursor) => conversations(access, cursor, { user_id: participantId }),

    async participant(access, id) {
      const request = { path: node(id), query: { fields: profileFields[access.channel] }, isOptional: true };
      return { id, ...(await client.ask(access, request, ParticipantProfile)) };
    },

    messages(access, conversationId, cursor) {
      const request = { path: `${node(conversationId)}/messages`, query: { fields: messageFields, limit: pageSize } };
      return client.list(access, request, cursor, messageReader(access.pageId, client.now()));
    },

    posts(access, cursor) {
      const { path, fields, read } = flavorOf(access).posts;
      const request = { path, query: { fields, limit: pageSize }, isAboutPage: true };
      const now = client.now();
      return client.list(access, request, cursor, (value) => read(value, now));
    },

    comments(access, postId, cursor) {
      if (access.channel === 'instagram') return instagramComments(client, access, { postId, cursor, limit: pageSize });
      // With the `stream` filter, the list contains replies too, instead of top-level comments only.
      const order = { filter: 'stream', order: 'reverse_chronological' };
      const query = { fields: facebook.commentFields, ...order, limit: pageSize };
      const read = facebook.commentReader(access.pageId, { postId, now: client.now() });
      return client.list(access, { path: `${node(postId)}/comments`, query }, cursor, read);
    },

    replies(access, { postId, commentId }, cursor) {
      const { path, fields, reader } = flavorOf(access).replies;
      const request = { path: `${node(commentId)}/${path}`, query: { fields, limit: pageSize } };
      return client.list(access, request, cursor, reader(access, { postId, parentId: commentId, now: client.now() }));
    },
  };
}

function writesOf(
  client: GraphClient,
): Omit<
  SocialNetwork,
  keyof ReturnType<typeof identityOf> | keyof ReturnType<typeof readsOf> | 'eventsOf' | 'withdrawalIn'
> {
  const message = (recipientId: string, content: Readonly<Record<string, unknown>>) => ({
    method: 'POST' as const,
    path: '/me/messages',
    json: { recipient: { id: recipientId }, ...content },
  });
  return {
    async subscribe(access) {
      const form = { subscribed_fields: flavorOf(access).subscribedFields };
      await client.perform(access, { method: 'POST', path: '/me/subscribed_apps', form, isAboutPage: true });
    },

    async unsubscribe(access) {
      await client.perform(access, { method: 'DELETE', path: '/me/subscribed_apps', isAboutPage: true });
    },

    async sendText(access, recipientId, text) {
      const request = message(recipientId, { ...flavorOf(access).messaging, message: { text } });
      return { id: (await client.ask(access, request, Sent)).message_id };
    },

    async markSeen(access, recipientId) {
      await client.ask(access, message(recipientId, { sender_action: 'mark_seen' }), z.object({}));
    },

    async reply(access, to, text) {
      const request = { method: 'POST' as const, path: flavorOf(access).replyPath(to), form: { message: text } };
      return { id: (await client.ask(access, request, Created)).id };
    },

    async setHidden(access, commentId, hidden) {
      const form = { [flavorOf(access).hideField]: String(hidden) };
      await client.perform(access, { method: 'POST', path: node(commentId), form });
    },

    async setLiked(access, commentId, liked) {
      await client.perform(access, flavorOf(access).like(commentId, liked));
    },
  };
}

export function metaNetwork(access: MetaAccess): SocialNetwork {
  const client = graphClient(access);
  return {
    ...identityOf(client, access),
    ...readsOf(client),
    ...writesOf(client),
    eventsOf: async (notification) => verifiedEvents(notification, await access.appSecrets(), access.clock.now()),
    withdrawalIn: async (signedRequest) =>
      withdrawalInSignedRequest(signedRequest, await access.appSecrets(), access.clock.now()),
  };
}
