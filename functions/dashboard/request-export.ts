import { dashboardExportContracts } from '../../shared/contracts/dashboard-exports.ts';
import { presentExport } from '../../shared/domain/exports/export-store.ts';
import { requestExport as requestExportOf } from '../../shared/domain/exports/request-export.ts';
import { confirmOwner } from '../../shared/domain/tokens/confirm-owner.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Requests an archive of everything about the account for its owner, who must have confirmed their identity. */
export const requestExport: DashboardOperation<'requestExport', 'identity'> = async (
  { actor: { accountId, digest, session }, body: { password } },
  context,
) => {
  const given = await confirmOwner(context, { session, digest, password });
  return presentExport(await requestExportOf(context, accountId, given), context.clock.now());
};

export const definition = sessionLambda(dashboardExportContracts.requestExport, requestExport, {
  identity: identityProvider,
});
