/** The operations that only the operators' pages have. */
import { operateActContracts } from './operate-acts.ts';
import { operateCustomerContracts } from './operate-customers.ts';
import { operateOverviewContracts } from './operate-overview.ts';
import { operateQueueContracts } from './operate-queues.ts';
import { operateRecordContracts } from './operate-records.ts';
import { operateSearchContracts } from './operate-search.ts';
import { operateSessionContracts } from './operate-session.ts';
import { operateTaskContracts } from './operate-tasks.ts';
import type { OperateContract } from './operation.ts';

export const operateContracts = {
  ...operateSessionContracts,
  ...operateSearchContracts,
  ...operateOverviewContracts,
  ...operateCustomerContracts,
  ...operateTaskContracts,
  ...operateQueueContracts,
  ...operateRecordContracts,
  ...operateActContracts,
} as const satisfies Record<string, OperateContract>;

export type OperateRegistry = typeof operateContracts;
export type OperateOperationId = keyof OperateRegistry;
