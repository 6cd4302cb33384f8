/** A run of a reconciliation, in which failures are reported and do not delay the rest. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Clock } from '../../../platform/clock.ts';
import type { ServiceMetrics } from '../../metrics.ts';

/** The time limit of a run, which leaves the rest to the next one; shorter than the function's own limit. */
export const runMs = 4 * 60_000;

export interface Failure {
  readonly id: string;
  readonly error: unknown;
}

export interface Reconciliation {
  readonly handled: number;
  /** Items that could not be processed, and steps that failed. */
  readonly failures: readonly Failure[];
  /** How many items failed in an earlier run and wait for their next attempt. */
  readonly postponed: number;
  /** Since when the longest-waiting item has been due; undefined if nothing is waiting. */
  readonly oldestDueAt: number | undefined;
}

/** Processes one item, reporting a failure under its id. */
export type Handle = (id: string, work: () => Promise<unknown>) => Promise<void>;

/** Runs the steps one after the other. A failure of an item or of a whole step is reported with its id. */
export async function runSteps(
  steps: Readonly<Record<string, (handle: Handle) => Promise<void>>>,
): Promise<Pick<Reconciliation, 'handled' | 'failures'>> {
  const failures: Failure[] = [];
  let handled = 0;
  const guarded = (id: string, work: () => Promise<unknown>) =>
    work().then(
      () => undefined,
      (error: unknown) => void failures.push({ id, error }),
    );
  const handle: Handle = (id, work) => {
    handled += 1;
    return guarded(id, work);
  };
  for (const [id, step] of Object.entries(steps)) await guarded(id, () => step(handle));
  return { handled, failures };
}

interface RecordNeeds {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  readonly metrics: ServiceMetrics;
}

/** Logs failures and records metrics, for operators. Postponed items count as failures. */
export function recordReconciliation(
  { clock, logger, metrics }: RecordNeeds,
  { handled, failures, postponed, oldestDueAt = clock.now() }: Reconciliation,
  ageName: 'OldestOverdueOrderAge' | 'OldestOverdueSubscriptionAge',
): { readonly handled: number; readonly failed: number } {
  for (const { id, error } of failures) logger.error('reconciliation failed', { id, error: error as Error });
  const failed = failures.length + postponed;
  metrics.record({ [ageName]: (clock.now() - oldestDueAt) / 1000, ReconciliationFailures: failed });
  return { handled, failed };
}
