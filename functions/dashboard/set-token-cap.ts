import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Sets or removes the monthly cap of a token of the account. */
export const setTokenCap: DashboardOperation<'setTokenCap'> = async (
  { actor, body: { monthlyCreditCap }, fail, params: { tokenId } },
  { table },
) => {
  const isSet = await tokenStore(table).setCap(actor.accountId, tokenId, monthlyCreditCap ?? undefined);
  return isSet ? { tokenId, monthlyCreditCap } : fail('NOT_FOUND');
};

export const definition = sessionLambda(dashboardTokenContracts.setTokenCap, setTokenCap);
