import { dashboardExportContracts } from '../../shared/contracts/dashboard-exports.ts';
import { exportStore, presentExport } from '../../shared/domain/exports/export-store.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Shows the owner the progress of their account's archive. */
export const getExport: DashboardOperation<'getExport'> = async ({ actor: { accountId } }, { clock, table }) =>
  presentExport(await exportStore(table).find(accountId), clock.now());

export const definition = sessionLambda(dashboardExportContracts.getExport, getExport);
