/** Adds the attributes by which operators find rows to rows that earlier versions have stored without them. */
import { ConditionFailed, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { accountHandles, toAccount } from '../accounts/account-store.ts';
import { caseHandles, toCase } from '../billing/cases/case-store.ts';
import { orderHandles, toOrder } from '../billing/orders/order-store.ts';
import {
  invoiceHandles,
  subscriptionHandles,
  toInvoice,
  toSubscription,
} from '../billing/subscriptions/subscription-store.ts';
import { findableKindOf } from '../handle-keys.ts';
import { avatarOriginsOwner, avatarsOwner, filesOwner, identitiesOwner, indexes } from '../index-keys.ts';
import { ownIdOf, tokenDigestOf } from '../keys.ts';
import { connectionHandles, toConnection } from '../piloto/pages/connection-store.ts';
import { kindOfRow } from '../privacy/register.ts';
import { readableItems } from '../readable-rows.ts';
import { isDeleted } from '../tasks/deleted-task.ts';
import { taskHandles, toTask } from '../tasks/task-item.ts';
import { isTestAccount } from '../test-account.ts';
import { parseToken, toToken } from '../tokens/admit-token.ts';
import { insertTokenHandle } from '../tokens/token-handle.ts';

/**
 * The attributes by which operators find a row. For a task, the request that created it is missing, because the row
 * does not contain it.
 */
function handlesOf(row: Item): Item {
  switch (findableKindOf(row)) {
    case 'account': {
      const account = toAccount(row);
      return isTestAccount(account.accountId) || account.erasedAt !== undefined ? {} : accountHandles(account);
    }
    case 'case':
      return caseHandles(toCase(row));
    case 'connection':
      return connectionHandles(toConnection(row));
    case 'invoice':
      return invoiceHandles(toInvoice(row));
    case 'order':
      return orderHandles(toOrder(row));
    case 'subscription':
      return subscriptionHandles(toSubscription(row));
    case 'task': {
      const task = toTask(row);
      return isDeleted(task) ? {} : taskHandles(task);
    }
    default:
      return ownerEntryOf(row);
  }
}

/** The attributes by which the erasure of an account finds a row, for kinds that lacked them in earlier versions. */
function ownerEntryOf(row: Item): Item {
  const [, accountId = ''] = String(row.pk).split('#');
  const entry = (pk: string, sk: string) => ({ [indexes.byOwner.pk]: pk, [indexes.byOwner.sk]: sk });
  switch (kindOfRow(row)) {
    case 'identity':
      return entry(identitiesOwner(String(row.accountId)), String(row.pk));
    case 'file':
      return entry(filesOwner(accountId), ownIdOf(row));
    case 'avatar':
      return entry(avatarsOwner(accountId), ownIdOf(row));
    case 'avatarOrigin':
      return entry(avatarOriginsOwner(accountId), String(row.pk));
    default:
      return {};
  }
}

/** Adds the missing attributes, unless the row has been changed or removed meanwhile: a change stores them as well. */
async function addHandles(table: Table, row: Item, missing: readonly (readonly [string, unknown])[]): Promise<boolean> {
  const names = missing.map((_, position) => `#a${position}`);
  // A task loses these attributes when it is deleted; all other rows keep them.
  const condition = [
    'attribute_exists(pk)',
    'attribute_not_exists(deletion)',
    ...names.map((name) => `attribute_not_exists(${name})`),
  ];
  try {
    await table.update({
      Key: { pk: row.pk, sk: row.sk },
      UpdateExpression: `SET ${names.map((name, position) => `${name} = :a${position}`).join(', ')}`,
      ConditionExpression: condition.join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(missing.map(([name], position) => [`#a${position}`, name])),
      ExpressionAttributeValues: Object.fromEntries(missing.map(([, value], position) => [`:a${position}`, value])),
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

async function addTokenHandle(table: Table, row: Item): Promise<boolean> {
  try {
    await table.transact([insertTokenHandle(tokenDigestOf(row), toToken(parseToken(row)))]);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
}

/** Makes a row findable; false if it already is, or is of a kind that operators cannot find. */
async function makeOneFindable(table: Table, row: Item): Promise<boolean> {
  const kind = findableKindOf(row);
  if (kind === 'token') {
    const [token] = readableItems(table, 'token', [row], (one) => toToken(parseToken(one)));
    return token ? addTokenHandle(table, row) : false;
  }
  const handles = readableItems(table, 'row of the search', [row], handlesOf);
  const missing = handles.flatMap((one) => Object.entries(one).filter(([name]) => row[name] === undefined));
  return missing.length > 0 && addHandles(table, row, missing);
}

/** Makes all rows findable; can be repeated at any time, also after an interruption. */
export async function makeFindable(
  table: Table,
  rows: AsyncIterable<Item>,
): Promise<{ readonly rowsRead: number; readonly rowsChanged: number }> {
  let rowsRead = 0;
  let rowsChanged = 0;
  for await (const row of rows) {
    rowsRead += 1;
    if (await makeOneFindable(table, row)) rowsChanged += 1;
  }
  return { rowsRead, rowsChanged };
}
