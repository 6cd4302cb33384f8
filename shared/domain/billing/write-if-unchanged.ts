/** Writes a state transition of an order or a subscription, together with the case that it opens. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { BillingCase } from './cases/billing-case.ts';
import { insertCase } from './cases/case-store.ts';

interface Needs {
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
  readonly table: Table;
}

/** The writes of one transaction; if they include a case, operators are notified afterwards. */
export interface Writes {
  readonly actions: readonly Action[];
  readonly found?: BillingCase;
}

/** Executes the writes; false if something has changed since it was read. */
export async function writeIfUnchanged(
  { logger, metrics, table }: Needs,
  { actions, found }: Writes,
): Promise<boolean> {
  try {
    await table.transact(found ? [...actions, insertCase(found)] : actions);
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
  // If the process crashes here, no notification is sent, but every reconciliation reports the number of open cases.
  if (found) {
    const { caseId, kind, accountId, orderId, paymentId } = found;
    metrics.record({ BillingCases: 1 });
    logger.warn('payment needs a decision', { caseId, case: kind, accountId, orderId, paymentId });
  }
  return true;
}
