import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { fillTestPurse } from '../../shared/domain/accounts/test-purse.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Fills up the credits of the account's test tokens. */
export const fillTestCredits: DashboardOperation<'fillTestCredits'> = async ({ actor, fail }, context) => {
  const accountId = testAccountOf(actor.accountId);
  const filled = await fillTestPurse(context, accountId, context.clock.now(), { isDemanded: true });
  return { testCredits: filled?.balance ?? fail('NOT_FOUND') };
};

export const definition = sessionLambda(dashboardTokenContracts.fillTestCredits, fillTestCredits);
