/** Creates an account with its plan's entitlements and its first credits. */

import type { Clock } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { plansRow } from '../catalog/plans-row.ts';
import type { Stores } from '../stores.ts';
import type { Account } from './account.ts';
import { openingActions } from './account-store.ts';
import type { LedgerRow } from './ledger.ts';

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  /** The first credits, recorded as a bonus. */
  readonly credits: number;
  readonly planId?: string;
}

interface Needs extends Pick<Stores, 'catalog'> {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Builds an account and its first ledger row. @throws {Error} if the catalog does not have the plan */
async function newAccount(
  { catalog, clock, ids }: Needs,
  { email, name, credits, planId }: NewAccount,
): Promise<{ readonly account: Account; readonly opening: LedgerRow | undefined }> {
  const { plans } = await catalog.read(plansRow);
  const plan = plans.find((candidate) => candidate.id === planId);
  if (planId !== undefined && !plan) {
    throw new Error(`the plan must be one of ${plans.map(({ id }) => id).join(', ')}`);
  }
  const createdAt = clock.now();
  const account: Account = {
    accountId: ids.next(),
    email,
    name,
    balance: credits,
    openTasks: [],
    ...(plan && { planId: plan.id }),
    features: plan ? [...plan.features] : [],
    createdAt,
  };
  const { accountId } = account;
  const opening = { id: ids.next(), accountId, amount: credits, reason: 'bonus', at: createdAt } as const;
  return { account, opening: credits > 0 ? opening : undefined };
}

/** Creates an account. @throws {Error} if the catalog does not have the plan */
export async function createAccount(context: Needs & Pick<Stores, 'table'>, given: NewAccount): Promise<Account> {
  const { account, opening } = await newAccount(context, given);
  await context.table.transact(openingActions(account, opening));
  return account;
}

/** The writes that create an account, for use in a larger transaction. */
export async function newAccountActions(
  context: Needs,
  given: NewAccount,
): Promise<{ readonly accountId: string; readonly actions: readonly Action[] }> {
  const { account, opening } = await newAccount(context, given);
  return { accountId: account.accountId, actions: openingActions(account, opening) };
}
