import { dashboardExportContracts } from '../../shared/contracts/dashboard-exports.ts';
import { openExport as openExportOf } from '../../shared/domain/exports/request-export.ts';
import { confirmOwner } from '../../shared/domain/tokens/confirm-owner.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { storedObjects } from '../../shared/platform/stored-objects.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Gives the owner, who must have confirmed their identity, a link to the archive of the account. */
export const openExport: DashboardOperation<'openExport', 'identity' | 'storedObjects'> = async (
  { actor: { accountId, digest, session }, body: { password } },
  context,
) => {
  const given = await confirmOwner(context, { session, digest, password });
  const { url, expiresAt } = await openExportOf(context, accountId, given);
  return { url, expiresAt: timestamp(expiresAt) };
};

export const definition = sessionLambda(dashboardExportContracts.openExport, openExport, {
  identity: identityProvider,
  storedObjects,
});
