/** Reports rows that lists have left out: by a metric with an alarm, and in the log without what the row holds. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../domain/metrics.ts';
import { InvalidRow } from '../domain/stored-row.ts';
import type { LeftOutRow } from '../platform/dynamo-table.ts';

/** Messages may quote the row, unless they are made not to. */
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
