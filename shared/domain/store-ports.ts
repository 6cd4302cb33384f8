/** Creates stores from a function's context. A bundle contains only the stores that its function names. */

import type { Clock } from '../platform/clock.ts';
import type { Table } from '../platform/dynamo-table.ts';
import { namesIn, type Settings } from '../platform/settings.ts';
import { accountStore } from './accounts/account-store.ts';
import { auditStore } from './accounts/audit-store.ts';
import { ledgerStore } from './accounts/ledger-store.ts';
import { caseStore } from './billing/cases/case-store.ts';
import { orderStore } from './billing/orders/order-store.ts';
import { subscriptionStore } from './billing/subscriptions/subscription-store.ts';
import { catalogStore } from './catalog/catalog-store.ts';
import { engineJobStore } from './engine-jobs/engine-job-store.ts';
import { fileStore } from './files/file-store.ts';
import { circuitStore } from './generation/circuit-store.ts';
import { idempotencyStore } from './idempotency/idempotency-store.ts';
import { publishedFileStore } from './published-files/published-file-store.ts';
import { avatarStore } from './studio/avatar-store.ts';
import { productStore } from './studio/product-store.ts';
import { deletedTaskStore } from './tasks/deleted-task-store.ts';
import { taskStore } from './tasks/task-store.ts';
import { tokenAdmissions } from './tokens/admit-token.ts';
import { deliveryStore } from './webhooks/delivery-store.ts';

export interface StoreSource {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'engines'>;
}

export const accounts = ({ table }: StoreSource) => accountStore(table);
export const audits = ({ table }: StoreSource) => auditStore(table);
export const avatars = ({ table }: StoreSource) => avatarStore(table);
export const cases = ({ table }: StoreSource) => caseStore(table);
export const catalog = ({ table, clock, settings }: StoreSource) =>
  catalogStore(table, clock, () => namesIn(settings.engines));
export const circuits = ({ table, clock }: StoreSource) => circuitStore(table, clock);
export const deletedTasks = ({ table }: StoreSource) => deletedTaskStore(table);
export const deliveries = ({ table }: StoreSource) => deliveryStore(table);
export const engineJobs = ({ table }: StoreSource) => engineJobStore(table);
export const files = ({ table }: StoreSource) => fileStore(table);
export const idempotency = ({ table }: StoreSource) => idempotencyStore(table);
export const ledger = ({ table }: StoreSource) => ledgerStore(table);
export const orders = ({ table }: StoreSource) => orderStore(table);
export const products = ({ table }: StoreSource) => productStore(table);
export const publishedFiles = ({ table }: StoreSource) => publishedFileStore(table);
export const subscriptions = ({ table }: StoreSource) => subscriptionStore(table);
export const tasks = ({ table }: StoreSource) => taskStore(table);
export const tokens = ({ table }: StoreSource) => tokenAdmissions(table);
