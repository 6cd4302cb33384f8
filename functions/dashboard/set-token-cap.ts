import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { confirmOwner } from '../../shared/domain/tokens/confirm-owner.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Sets or removes the monthly cap of a token for the account's owner, who must have confirmed their identity. */
export const setTokenCap: DashboardOperation<'setTokenCap', 'identity'> = async (
  { actor: { accountId, digest, session }, body: { monthlyCreditCap, password }, fail, params: { tokenId } },
  context,
) => {
  const given = await confirmOwner(context, { session, digest, password });
  const change = await tokenStore(context.table).setCap(accountId, tokenId, monthlyCreditCap ?? undefined, given);
  if (change === 'unmet') fail('CONFIRMATION_REQUIRED');
  return change === 'set' ? { tokenId, monthlyCreditCap } : fail('NOT_FOUND');
};

export const definition = sessionLambda(dashboardTokenContracts.setTokenCap, setTokenCap, {
  identity: identityProvider,
});
