import { dashboardRetentionContracts } from '../../shared/contracts/dashboard-retention.ts';
import { setRetention as set } from '../../shared/domain/accounts/account-retention.ts';
import { accountClosed } from '../../shared/domain/accounts/closed-account.ts';
import { requestedRetention } from '../../shared/domain/retention.ts';
import { TransactionCanceled } from '../../shared/platform/dynamo-table.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Sets how long new tasks of the account keep results and inputs. */
export const setRetention: DashboardOperation<'setRetention'> = async ({ actor, body }, { table }) => {
  try {
    await table.transact([set(actor.accountId, requestedRetention(body))]);
  } catch (error) {
    throw error instanceof TransactionCanceled ? accountClosed() : error;
  }
  return body;
};

export const definition = sessionLambda(dashboardRetentionContracts.setRetention, setRetention);
