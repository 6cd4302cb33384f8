/** Reports errors that no reader of media files should throw: logs their names, and counts them in a metric. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { ServiceMetrics } from '../domain/metrics.ts';

export const readerFailureReporter =
  ({ logger, metrics }: { readonly logger: Pick<Logger, 'error'>; readonly metrics: ServiceMetrics }) =>
  (errorName: string): void => {
    logger.error('reader of media files failed', { fault: errorName });
    metrics.record({ MediaReaderFailures: 1 });
  };
