import { dashboardRetentionContracts } from '../../shared/contracts/dashboard-retention.ts';
import { presentRetention } from '../../shared/domain/retention.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Shows the owner how long new tasks of their account keep results and inputs. */
export const getRetention: DashboardOperation<'getRetention', 'accounts'> = async ({ actor }, context) =>
  presentRetention((await context.accounts.find(actor.accountId))?.retention);

export const definition = sessionLambda(dashboardRetentionContracts.getRetention, getRetention, { accounts });
