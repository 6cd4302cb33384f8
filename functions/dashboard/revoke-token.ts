import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Revokes a token of the account. */
export const revokeToken: DashboardOperation<'revokeToken'> = async (
  { actor, fail, params: { tokenId } },
  { clock, table },
) => ((await tokenStore(table).revoke(actor.accountId, tokenId, clock.now())) ? { tokenId } : fail('NOT_FOUND'));

export const definition = sessionLambda(dashboardTokenContracts.revokeToken, revokeToken);
