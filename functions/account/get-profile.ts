import { accountContracts } from '../../shared/contracts/account.ts';
import { requestsPerMinute, simultaneousTasks } from '../../shared/contracts/limits.ts';
import { plansRow } from '../../shared/domain/catalog/plans-row.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { liveAccountOf } from '../../shared/domain/test-account.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns an account's profile, its plan's features and its limits. */
export const getProfile: Operation<'getProfile', 'accounts' | 'catalog'> = async ({ actor }, { accounts, catalog }) => {
  const [account, { plans }] = await Promise.all([
    accounts.find(liveAccountOf(actor.accountId)),
    catalog.read(plansRow),
  ]);
  if (!account) throw new Error('token references a missing account');
  const plan = plans.find(({ id }) => id === account.planId);
  return {
    id: account.accountId,
    email: account.email,
    name: account.name,
    plan: plan ? { id: plan.id, name: plan.name } : null,
    features: [...account.features],
    limits: { requestsPerMinute, simultaneousTasks },
    createdAt: timestamp(account.createdAt),
  };
};

export const definition = sharedLambda(accountContracts.getProfile, getProfile, { accounts, catalog });
