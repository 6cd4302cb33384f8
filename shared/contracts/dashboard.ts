/**
 * The operations that only the dashboard has. API operations that it shares are marked `dashboard` in their contracts.
 */
import { dashboardClosureContracts } from './dashboard-closure.ts';
import { dashboardConnectionContracts } from './dashboard-connections.ts';
import { dashboardDeliveryContracts } from './dashboard-deliveries.ts';
import { dashboardExportContracts } from './dashboard-exports.ts';
import { dashboardRetentionContracts } from './dashboard-retention.ts';
import { dashboardSessionContracts } from './dashboard-sessions.ts';
import { dashboardTokenContracts } from './dashboard-tokens.ts';
import type { DashboardContract } from './operation.ts';

export const dashboardContracts = {
  ...dashboardClosureContracts,
  ...dashboardConnectionContracts,
  ...dashboardDeliveryContracts,
  ...dashboardExportContracts,
  ...dashboardRetentionContracts,
  ...dashboardSessionContracts,
  ...dashboardTokenContracts,
} as const satisfies Record<string, DashboardContract>;

export type DashboardRegistry = typeof dashboardContracts;
export type DashboardOperationId = keyof DashboardRegistry;
