/** Rows of every exported kind, with text in every field that the register of personal data has. */
import { type ExportedKind, exportedKinds } from '../../../shared/domain/exports/export-rules.ts';
import * as inbox from '../../../shared/domain/inbox-keys.ts';
import * as owners from '../../../shared/domain/index-keys.ts';
import * as keys from '../../../shared/domain/keys.ts';
import type { RowKind } from '../../../shared/domain/privacy/data-kind.ts';
import { rowKinds } from '../../../shared/domain/privacy/register.ts';
import type { Item, Table } from '../../../shared/platform/dynamo-table.ts';

const listed = (owner: string, id: string) => ({
  [owners.indexes.byOwner.pk]: owner,
  [owners.indexes.byOwner.sk]: id,
});

const keysOf: Readonly<Record<ExportedKind, (accountId: string, id: string) => Item>> = {
  account: (accountId) => keys.accountKey(accountId),
  token: (accountId, id) => ({ ...keys.tokenKey(id), ...listed(owners.tokensOwner(accountId), id) }),
  session: (accountId, id) => ({ ...keys.sessionKey(id), ...listed(owners.sessionsOwner(accountId), id) }),
  identity: (accountId, id) => ({ ...keys.identityKey(id), ...listed(owners.identitiesOwner(accountId), id) }),
  ledgerRow: (accountId, id) => keys.ledgerKey(accountId, id),
  order: (accountId, id) => ({ ...keys.orderKey(id), ...listed(owners.ordersOwner(accountId), id) }),
  subscription: (accountId, id) => keys.subscriptionKey(accountId, id),
  invoice: (_, id) => keys.invoiceKey(id, 'invoice'),
  task: (accountId, id) => ({ ...keys.taskKey(id), ...listed(owners.tasksOwner(accountId), id) }),
  influencer: (accountId, id) => keys.influencerKey(accountId, id),
  file: (accountId, id) => ({ ...keys.fileKey(accountId, id), ...listed(owners.filesOwner(accountId), id) }),
  product: (accountId, id) => keys.productKey(accountId, id),
  avatar: (accountId, id) => ({ ...keys.avatarKey(accountId, id), ...listed(owners.avatarsOwner(accountId), id) }),
  connection: (accountId) => inbox.connectionKey(accountId, 'facebook'),
  conversation: (accountId, id) => ({
    ...inbox.conversationKey(accountId, id),
    ...listed(inbox.conversationsOwner(accountId), id),
  }),
  message: (accountId, id) => inbox.messageKey(accountId, id, 'message'),
  post: (accountId, id) => ({ ...inbox.postKey(accountId, id), ...listed(inbox.postsOwner(accountId), id) }),
  comment: (accountId, id) => inbox.commentKey(accountId, id, 'comment'),
};

/** Fields that must not contain text: expiries, and those that would mark the account as erased. */
const fixed: Item = { expiresAt: Number.MAX_SAFE_INTEGER / 1e6 };
const unset = new Set(['erasedAt', 'openPk', 'openSk']);

const rowOf = (kind: ExportedKind, textOf: (kind: ExportedKind, field: string) => string): Item => {
  const { fields }: RowKind = rowKinds[kind];
  const names = Object.keys(fields).filter((name) => !unset.has(name));
  return Object.fromEntries(names.map((name) => [name, fixed[name] ?? textOf(kind, name)]));
};

/**
 * Stores one row of each kind. All have the same id, so that the messages belong to the conversation, and the comments
 * to the post.
 */
export async function storeRowsOfEveryKind(
  table: Table,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  textOf: (kind: ExportedKind, field: string) => string,
): Promise<void> {
  for (const kind of exportedKinds) {
    await table.put({ Item: { ...keysOf[kind](accountId, id), ...rowOf(kind, textOf) } });
  }
  await table.put({ Item: keys.listedProductKey(accountId, id) });
}
