/** Notices if a provider charges another price than that in the catalog. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { metricsFor, type ServiceMetrics } from '../metrics.ts';
import type { Task } from '../tasks/task.ts';
import { chargesOf, type JobEnd } from './job-cost.ts';

interface Needs {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

/** The tolerance: providers round what they charge to a unit, and count characters or seconds slightly differently. */
const tolerance = 0.1;

/** Records a metric and logs a charge that does not match the price in the catalog. */
export function watchCharge({ logger, metrics }: Needs, task: Task, name: string, end: JobEnd): void {
  const charges = chargesOf(task, name, end);
  if (!charges) return;
  const { stated, listed, unit } = charges;
  if (Math.abs(stated - listed) <= unit + tolerance * listed) return;
  const { accountId, engine, route, taskId } = task;
  logger.warn('charge differs from the price', {
    taskId,
    job: name,
    route,
    statedMicros: stated,
    listedMicros: listed,
  });
  metricsFor(metrics, accountId).record({ UnexpectedCharges: 1 }, { engine });
}
