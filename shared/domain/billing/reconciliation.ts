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
  readonly attended: number;
  /** What could not be attended to, and the steps that have failed. */
  readonly failures: readonly Failure[];
  /** How many others failed in an earlier run, and wait for their next try. */
  readonly postponed: number;
  /** Since when what waits longest should have been done; undefined if nothing waits. */
  readonly oldestDueAt: number | undefined;
}

/** Attends to one of many. */
export type Attend = (id: string, work: () => Promise<unknown>) => Promise<void>;

/** Runs one step after the other. A failure, of one of many or of a whole step, is reported with its id. */
export async function runSteps(
  steps: Readonly<Record<string, (attend: Attend) => Promise<void>>>,
): Promise<Pick<Reconciliation, 'attended' | 'failures'>> {
  const failures: Failure[] = [];
  let attended = 0;
  const guarded = (id: string, work: () => Promise<unknown>) =>
    work().then(
      () => undefined,
      (error: unknown) => void failures.push({ id, error }),
    );
  const attend: Attend = (id, work) => {
    attended += 1;
    return guarded(id, work);
  };
  for (const [id, step] of Object.entries(steps)) await guarded(id, () => step(attend));
  return { attended, failures };
}

interface RecordNeeds {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  readonly metrics: ServiceMetrics;
}

/** For operators: what has failed, and the age of what waits longest. What is postponed has not stopped failing. */
export function recordReconciliation(
  { clock, logger, metrics }: RecordNeeds,
  { attended, failures, postponed, oldestDueAt = clock.now() }: Reconciliation,
  ageName: 'OldestOverdueOrderAge' | 'OldestOverdueSubscriptionAge',
): { readonly attended: number; readonly failed: number } {
  for (const { id, error } of failures) logger.error('reconciliation failed', { id, error: error as Error });
  const failed = failures.length + postponed;
  metrics.record({ [ageName]: (clock.now() - oldestDueAt) / 1000, ReconciliationFailures: failed });
  return { attended, failed };
}
