/** Inbox keys: a key never leads to data of another account, page or kind. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { channels } from '../../shared/contracts/channels.ts';
import {
  atTime,
  commentIdIn,
  commentKey,
  connectionKey,
  connectionOf,
  conversationKey,
  conversationsOwner,
  inboxIdIn,
  inboxIdOf,
  messageIdIn,
  messageKey,
  openConnections,
  pageKey,
  pageUserKey,
  placedIdIn,
  placeKey,
  postKey,
  postsOwner,
  unlistedPostsOwner,
  unreadConversations,
} from '../../shared/domain/inbox-keys.ts';

const id = fc.uuid({ version: 7 });
const channel = fc.constantFrom(...channels);
const text = ({ pk, sk }: { pk: string; sk: string }) => `${pk}|${sk}`;

test('rows of different kinds, accounts or ids in the inbox never have the same key', () => {
  fc.assert(
    fc.property(id, id, id, channel, (account, one, other, of) => {
      fc.pre(new Set([account, one, other]).size === 3);
      const keys = [
        connectionKey(account, 'instagram'),
        connectionKey(account, 'facebook'),
        connectionKey(one, of),
        pageKey('instagram', one),
        pageKey('facebook', one),
        pageUserKey('facebook', one, account),
        pageUserKey('facebook', one, other),
        conversationKey(account, one),
        conversationKey(one, account),
        messageKey(account, one, other),
        postKey(account, one),
        commentKey(account, one, other),
        placeKey(account, one, 1, other),
      ].map(text);
      const lists = [
        conversationsOwner(account),
        unreadConversations(account),
        postsOwner(account),
        unlistedPostsOwner(account),
        openConnections,
      ];
      expect(new Set(keys).size).toBe(keys.length);
      expect(new Set(lists).size).toBe(lists.length);
    }),
  );
});

test('public ids in the inbox differ by channel, page and id at the social network, and contain no key separator', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (pageId, otherPage, networkId, otherId) => {
      const ids = [
        inboxIdOf({ channel: 'instagram', pageId }, networkId),
        inboxIdOf({ channel: 'facebook', pageId }, networkId),
        ...(pageId === otherPage ? [] : [inboxIdOf({ channel: 'instagram', pageId: otherPage }, networkId)]),
        ...(networkId === otherId ? [] : [inboxIdOf({ channel: 'instagram', pageId }, otherId)]),
      ];
      expect(new Set(ids).size).toBe(ids.length);
      for (const publicId of ids) expect(publicId).toMatch(/^[A-Za-z0-9_-]{22}$/);
    }),
  );
});

test('ids can be read back from inbox keys, and lists sort by time before id', () => {
  fc.assert(
    fc.property(id, id, id, channel, fc.nat(10 ** 12), (account, parent, own, of, at) => {
      expect(inboxIdIn(conversationKey(account, parent))).toBe(parent);
      expect(inboxIdIn(postKey(account, parent))).toBe(parent);
      expect(messageIdIn(messageKey(account, parent, own))).toBe(own);
      expect(commentIdIn(commentKey(account, parent, own))).toBe(own);
      expect(placedIdIn(placeKey(account, parent, at, own))).toBe(own);
      expect(connectionOf(connectionKey(account, of))).toEqual({ accountId: account, channel: of });
      expect(atTime(at, own) < atTime(at + 1, parent)).toBe(true);
    }),
  );
});
