import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { openTestPurse } from '../../shared/domain/accounts/test-purse.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Tops up the daily credits of test mode, and creates the test account if necessary. */
export const fillTestCredits: DashboardOperation<'fillTestCredits'> = async ({ actor }, context) => {
  const { balance } = await openTestPurse(context, actor.accountId, context.clock.now());
  return { testCredits: balance };
};

export const definition = sessionLambda(dashboardTokenContracts.fillTestCredits, fillTestCredits);
