/**
 * Reports rows that lists have left out: counts them in a metric with an alarm, and logs them without their contents.
 */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../domain/metrics.ts';
import { InvalidRow } from '../domain/stored-row.ts';
import type { LeftOutRow } from '../platform/dynamo-table.ts';

/** Describes an error without the row's contents, which messages may quote. */
function faultOf(error: unknown): string {
  if (error instanceof InvalidRow) return error.message;
  return error instanceof Error ? error.name : 'not an error';
}

export const leftOutReporter =
  ({ logger, metrics }: { readonly logger: Pick<Logger, 'error'>; readonly metrics: ServiceMetrics }) =>
  ({ kind, id, error }: LeftOutRow): void => {
    logger.error('row left out of a list', { kind, rowId: id, fault: faultOf(error) });
    metrics.record({ RowsLeftOut: 1 }, { reason: kind });
  };
