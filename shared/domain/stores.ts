/** The stores that functions of several kinds use, over one table; every bundle contains them. */
import type { Clock } from '../platform/clock.ts';
import type { Table } from '../platform/dynamo-table.ts';
import { type AccountStore, accountStore } from './accounts/account-store.ts';
import { type AuditStore, auditStore } from './accounts/audit-store.ts';
import { type LedgerStore, ledgerStore } from './accounts/ledger-store.ts';
import { type CaseStore, caseStore } from './billing/case-store.ts';
import { type OrderStore, orderStore } from './billing/order-store.ts';
import { type SubscriptionStore, subscriptionStore } from './billing/subscription-store.ts';
import { type CatalogStore, catalogStore } from './catalog/catalog-store.ts';
import { type EngineJobStore, engineJobStore } from './engine-jobs/engine-job-store.ts';
import { type FileStore, fileStore } from './files/file-store.ts';
import { type CircuitStore, circuitStore } from './generation/circuit-store.ts';
import { type IdempotencyStore, idempotencyStore } from './idempotency/idempotency-store.ts';
import { type AvatarStore, avatarStore } from './studio/avatar-store.ts';
import { type ProductStore, productStore } from './studio/product-store.ts';
import { type TaskStore, taskStore } from './tasks/task-store.ts';
import { type TokenAdmissions, tokenAdmissions } from './tokens/admit-token.ts';
import { type DeliveryStore, deliveryStore } from './webhooks/delivery-store.ts';

export interface Stores {
  readonly table: Table;
  readonly accounts: AccountStore;
  readonly avatars: AvatarStore;
  readonly cases: CaseStore;
  readonly catalog: CatalogStore;
  readonly circuits: CircuitStore;
  readonly deliveries: DeliveryStore;
  readonly engineJobs: EngineJobStore;
  readonly files: FileStore;
  readonly idempotency: IdempotencyStore;
  readonly audits: AuditStore;
  readonly ledger: LedgerStore;
  readonly orders: OrderStore;
  readonly products: ProductStore;
  readonly subscriptions: SubscriptionStore;
  readonly tasks: TaskStore;
  readonly tokens: TokenAdmissions;
}

/** `engineNames` are the engines that make what the catalog does not say otherwise of. */
export const stores = (table: Table, clock: Clock, engineNames = () => ['offline']): Stores => ({
  table,
  accounts: accountStore(table),
  avatars: avatarStore(table),
  cases: caseStore(table),
  catalog: catalogStore(table, clock, engineNames),
  circuits: circuitStore(table, clock),
  deliveries: deliveryStore(table),
  engineJobs: engineJobStore(table),
  files: fileStore(table),
  idempotency: idempotencyStore(table),
  audits: auditStore(table),
  ledger: ledgerStore(table),
  orders: orderStore(table),
  products: productStore(table),
  subscriptions: subscriptionStore(table),
  tasks: taskStore(table),
  tokens: tokenAdmissions(table),
});
