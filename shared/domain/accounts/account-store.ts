/** Stores accounts. Balances and slots change only in transactions that also record the reason. */
import * as z from 'zod';
import { type Feature, features } from '../../contracts/features.ts';
import { simultaneousTasks } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { rowCounts } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import { findableBy, findableByName } from '../handle-keys.ts';
import { accountsOwner, indexes } from '../index-keys.ts';
import { accountIdOf, accountKey } from '../keys.ts';
import { type Retention, RetentionRow } from '../retention.ts';
import { parseRow } from '../stored-row.ts';
import { isTestAccount } from '../test-account.ts';
import type { Account } from './account.ts';
import { whileRetained } from './account-retention.ts';
import { chargesBarredUntil, withinChargedFailures } from './charged-failures.ts';
import { isClosed, isOpen } from './closed-account.ts';
import type { LedgerRow } from './ledger.ts';
import { appendLedgerRow } from './ledger-store.ts';
import { longResultLimitOf, withinLongResultLimits } from './long-results.ts';
import { changeClaims, claimsWithout, type RefundClaim } from './refund-claims.ts';
import { type Clauses, updateAccount } from './update-account.ts';

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  /** The ids of all accounts, oldest first, starting after the given id. */
  ids(after?: string): AsyncGenerator<string>;
}

interface Debit {
  /** The feature that the account's plan must include. */
  readonly feature?: Feature | undefined;
  readonly accountId: string;
  readonly taskId: string;
  readonly cost: number;
  /**
   * The time of the debit; present if the price depends on the duration of a file, for which long results may limit the
   * account.
   */
  readonly byFileAt?: number | undefined;
  /** The time of the debit; present if the task's engine charges, for which charged failures may limit the account. */
  readonly chargedAt?: number | undefined;
  /** The time since which the daily credits of a test account must have been topped up. */
  readonly filledSince?: number | undefined;
  /** The periods of the account that the task is created with; a test account has those of its live account. */
  readonly retention?: Retention | undefined;
}

/**
 * Debits a task's cost and takes a slot for it. If that fails, {@link shortageOf} determines why, from the account as
 * it was then.
 */
export function debitAccount({
  accountId,
  taskId,
  cost,
  feature,
  byFileAt,
  chargedAt,
  filledSince,
  retention,
}: Debit): Action {
  const limit = byFileAt === undefined ? undefined : withinLongResultLimits(byFileAt);
  const bar = chargedAt === undefined ? undefined : withinChargedFailures(chargedAt);
  const retained = isTestAccount(accountId) ? { when: [], values: {} } : whileRetained(retention);
  const conditions = [
    'balance >= :cost',
    isOpen,
    '(attribute_not_exists(openTasks) OR size(openTasks) < :slots)',
    ...(feature ? ['contains(features, :feature)'] : []),
    ...(limit ? [limit.condition] : []),
    ...(bar ? [bar.condition] : []),
    ...(filledSince === undefined ? [] : ['filledAt >= :filledSince']),
    ...retained.when,
  ];
  return {
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: `SET balance = balance - :cost ADD openTasks :task${limit ? ', openFileTasks :task' : ''}`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeValues: {
        ':cost': cost,
        ':task': new Set([taskId]),
        ':slots': simultaneousTasks,
        ...(feature && { ':feature': feature }),
        ...limit?.values,
        ...bar?.values,
        ...retained.values,
        ...(filledSince !== undefined && { ':filledSince': filledSince }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

interface Release {
  readonly accountId: string;
  readonly taskId: string;
  /** The credits that the account gets back. */
  readonly credits: number;
  /** Further changes to the account that the end of the task makes. */
  readonly changes?: readonly Clauses[];
  /** The account's claims on refunds, as they were read; none by default. */
  readonly claims?: readonly RefundClaim[];
}

/** Frees an ended task's slot, if the claims on refunds have not changed since they were read. */
export const releaseSlot = ({ accountId, taskId, credits, changes = [], claims = [] }: Release): Action =>
  updateAccount(accountId, [
    {
      set: ['balance = balance + :credits'],
      drop: ['openTasks :task', 'openFileTasks :task'],
      values: { ':credits': credits, ':task': new Set([taskId]) },
    },
    ...changes,
    changeClaims(claims, claimsWithout(claims, taskId)),
  ]);

export type Shortage = 'closed' | 'feature' | 'charged-failures' | 'long-results' | 'file-slot' | 'balance' | 'slots';

/**
 * What an account lacks for a debit; checks the plan's feature first, then the limits after charged failures and long
 * results, credits, and a free slot.
 */
export function shortageOf(
  account: Account,
  { cost, feature, byFileAt, chargedAt }: Pick<Debit, 'cost' | 'feature' | 'byFileAt' | 'chargedAt'>,
): Shortage | undefined {
  if (isClosed(account)) return 'closed';
  if (feature && !account.features.includes(feature)) return 'feature';
  if (chargedAt !== undefined && chargesBarredUntil(account, chargedAt) !== undefined) return 'charged-failures';
  const limit = byFileAt === undefined ? undefined : longResultLimitOf(account, byFileAt);
  if (limit) return limit;
  if (account.balance < cost) return 'balance';
  if (account.openTasks.length >= simultaneousTasks) return 'slots';
  return undefined;
}

const dayCount = () => z.object({ day: z.int(), count: z.int(), credits: z.exactOptional(z.int()) });

const AccountRow = once(() =>
  z.object({
    email: z.string(),
    name: z.string(),
    balance: z.int(),
    // A set without elements is stored as an absent attribute, because DynamoDB has no empty sets.
    openTasks: z.set(z.string()).default(new Set()),
    planId: z.exactOptional(z.string()),
    planSource: z.exactOptional(z.string()),
    activeSubscription: z.exactOptional(z.string()),
    // Features unknown to this release are ignored, because a later release may have granted them.
    features: z.array(z.string()).default([]),
    createdAt: z.int(),
    openFileTasks: z.exactOptional(z.set(z.string()).transform((ids) => [...ids].toSorted())),
    latestLongResultAt: z.exactOptional(z.int()),
    oldestLongResultAt: z.exactOptional(z.int()),
    limitsLifted: z.exactOptional(z.object({ at: z.int(), reason: z.string() })),
    cancels: z.exactOptional(dayCount()),
    chargedFailures: z.exactOptional(dayCount()),
    barredOn: z.exactOptional(z.int()),
    closing: z.exactOptional(
      z.object({
        at: z.int(),
        eraseAt: z.int(),
        erasingAt: z.exactOptional(z.int()),
        isByOwner: z.exactOptional(z.boolean()),
      }),
    ),
    reopenedAt: z.exactOptional(z.int()),
    erasedAt: z.exactOptional(z.int()),
    filledAt: z.exactOptional(z.int()),
    refundClaims: z.exactOptional(z.array(z.object({ caseId: z.string(), taskIds: z.array(z.string()) }))),
    retention: z.exactOptional(RetentionRow()),
  }),
);

export function toAccount(item: Item): Account {
  const row = parseRow('account', AccountRow(), item);
  return {
    accountId: accountIdOf(item),
    ...row,
    openTasks: [...row.openTasks].toSorted(),
    features: features.filter((feature) => row.features.includes(feature)),
  };
}

/** The attributes by which operators find an account. */
export const accountHandles = ({ email, name }: Pick<Account, 'email' | 'name'>): Item => ({
  ...findableBy('byHandle', email),
  ...findableByName(name),
});

const insertAccount = ({ accountId, openTasks: _none, ...account }: Account): Action => ({
  Put: {
    Item: {
      ...accountKey(accountId),
      ...account,
      [indexes.byOwner.pk]: accountsOwner,
      [indexes.byOwner.sk]: accountId,
      ...accountHandles(account),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The writes that insert an account and the ledger row of its first credits. */
export const openingActions = (account: Account, opening: LedgerRow | undefined): readonly Action[] => [
  insertAccount(account),
  ...(opening ? [appendLedgerRow(opening), ...countFigures(opening.accountId, opening.at, rowCounts(opening))] : []),
];

/** Moves the balance by a row's amount, unless it would become negative or another condition does not hold. */
export const moveBalance = (
  { accountId, amount }: Pick<LedgerRow, 'accountId' | 'amount'>,
  when: readonly string[] = [],
): Action => ({
  Update: {
    Key: accountKey(accountId),
    UpdateExpression: 'SET balance = balance + :amount',
    ConditionExpression: ['attribute_exists(pk)', 'balance >= :min', ...when].join(' AND '),
    ExpressionAttributeValues: { ':amount': amount, ':min': Math.max(0, -amount) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

export function accountStore(table: Table): AccountStore {
  return {
    async find(accountId) {
      const item = await table.get(accountKey(accountId));
      return item && toAccount(item);
    },
    async *ids(after = '') {
      const accounts = table.walk({
        IndexName: 'byOwner',
        KeyConditionExpression: '#pk = :pk AND #sk > :after',
        ExpressionAttributeNames: { '#pk': indexes.byOwner.pk, '#sk': indexes.byOwner.sk },
        // A first page starts after a space, which sorts before every id, because DynamoDB rejects empty key values.
        ExpressionAttributeValues: { ':pk': accountsOwner, ':after': after || ' ' },
      });
      for await (const key of accounts) yield accountIdOf(key);
    },
  };
}
