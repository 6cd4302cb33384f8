/** Finds the rows to delete when an account is erased: one finder for each kind that the register marks as erased. */
import type { Key, Table } from '../../platform/dynamo-table.ts';
import { keyOf } from '../delete-rows.ts';
import { tokenHandleKey } from '../handle-keys.ts';
import { consentKey } from '../inbox-keys.ts';
import {
  avatarOriginsOwner,
  avatarsOwner,
  filesOwner,
  identitiesOwner,
  indexes,
  sessionsOwner,
  tokensOwner,
  viewsOwner,
} from '../index-keys.ts';
import {
  activeTokensKey,
  exportKey,
  influencerKey,
  invitationKey,
  listedProductKey,
  productKey,
  sessionDigestOf,
} from '../keys.ts';
import { addressDigest } from '../sessions/invitation.ts';
import { walkOwned } from '../walk-index.ts';
import type { RowKindName, rowKinds } from './register.ts';

type ErasedKind = {
  [Name in RowKindName]: (typeof rowKinds)[Name]['erasure'] extends 'erased' ? Name : never;
}[RowKindName];

/** Kinds without a finder, because the erasure of a task or of a page's inbox deletes or replaces their rows. */
type OfAnother =
  | 'task'
  | 'engineJob'
  | 'connection'
  | 'page'
  | 'conversation'
  | 'message'
  | 'post'
  | 'comment'
  | 'place';

export interface ErasedAccount {
  readonly accountId: string;
  readonly email: string;
}

type Finder = (table: Table, account: ErasedAccount) => Promise<readonly Key[]>;

const inPartition = async (table: Table, pk: string): Promise<Key[]> => {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await Array.fromAsync(table.walk(query))).map(keyOf);
};

/** The keys of an account's rows in the index `byOwner`, with the ids by which they are sorted. */
const owned = (table: Table, owner: string) => Array.fromAsync(walkOwned(table, owner));

const ownedKeys = async (table: Table, owner: string): Promise<Key[]> => (await owned(table, owner)).map(keyOf);

/** A finder for each kind that is erased; the type makes sure that none is missing. */
export const erasedRows: Readonly<Record<Exclude<ErasedKind, OfAnother>, Finder>> = {
  // Not found through avatars, because an id may have been reserved for an avatar that was never created.
  avatarOrigin: (table, { accountId }) => ownedKeys(table, avatarOriginsOwner(accountId)),
  avatar: (table, { accountId }) => ownedKeys(table, avatarsOwner(accountId)),
  // Rows through which others are found are deleted after those.
  product: async (table, { accountId }) =>
    (await inPartition(table, listedProductKey(accountId, '').pk)).map(({ sk }) => productKey(accountId, sk)),
  listedProduct: (table, { accountId }) => inPartition(table, listedProductKey(accountId, '').pk),
  influencer: (table, { accountId }) => inPartition(table, influencerKey(accountId, '').pk),
  export: async (_table, { accountId }) => [exportKey(accountId)],
  file: (table, { accountId }) => ownedKeys(table, filesOwner(accountId)),
  tokenHandle: async (table, { accountId }) =>
    (await owned(table, tokensOwner(accountId))).map((item) => tokenHandleKey(String(item[indexes.byOwner.sk]))),
  token: (table, { accountId }) => ownedKeys(table, tokensOwner(accountId)),
  activeTokens: async (_table, { accountId }) => [activeTokensKey(accountId)],
  session: async (table, { accountId }) => {
    const sessions = await ownedKeys(table, sessionsOwner(accountId));
    const consents = sessions.map((key) => inPartition(table, consentKey(sessionDigestOf(key), 'instagram').pk));
    return [...(await Promise.all(consents)).flat(), ...sessions, ...(await ownedKeys(table, viewsOwner(accountId)))];
  },
  identity: (table, { accountId }) => ownedKeys(table, identitiesOwner(accountId)),
  invitation: async (_table, { email }) => (email === '' ? [] : [invitationKey(addressDigest(email))]),
};
