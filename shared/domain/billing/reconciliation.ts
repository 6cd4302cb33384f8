/** One run of a reconciliation: what fails in it is reported, and keeps nothing else waiting. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Clock } from '../../platform/clock.ts';
import type { ServiceMetrics } from '../metrics.ts';

/** After which the rest waits for the next run, so that this one ends within the time limit of its function. */
export const runMs = 4 * 60_000;

export interface Failure {
  readonly id: string;
  readonly error: unknown;
}

export interface Reconciliation {
  readonly handled: number;
  /** What could not be handled, and the steps that have failed. */
  readonly failures: readonly Failure[];
  /** How many others failed in an earlier run, and wait for their next try. */
  readonly postponed: number;
  /** Since when what waits longest should have been done; undefined if nothing waits. */
  readonly oldestDueAt: number | undefined;
}

/** Handles one of many. */
export type Handle = (id: string, work: () => Promise<unknown>) => Promise<void>;

/** Runs one step after the other. A failure, of one of many or of a whole step, is reported with its id. */
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

/** For operators: what has failed, and the age of what waits longest. What is postponed has not stopped failing. */
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
