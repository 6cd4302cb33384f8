/** Opens an account, with its plan's entitlements and whatever credits it begins with. */
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Stores } from '../stores.ts';
import type { Account } from './account.ts';

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  /** Credits to begin with, entered as a bonus. */
  readonly credits: number;
  readonly planId?: string;
}

interface Needs extends Stores {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @throws {Error} when the plan is none of the catalog's. */
export async function createAccount(
  { accounts, catalog, clock, ids }: Needs,
  { email, name, credits, planId }: NewAccount,
): Promise<Account> {
  const { plans } = (await catalog.read()).plans;
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
  await accounts.insert(account, credits > 0 ? opening : undefined);
  return account;
}
