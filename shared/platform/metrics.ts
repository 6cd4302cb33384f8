/** Records metrics as lines on standard output that CloudWatch parses (embedded metric format). */
import { Metrics as EmbeddedMetrics } from '@aws-lambda-powertools/metrics';
import type { Settings } from './settings.ts';

export interface Metrics<Name extends string, Dimension extends string> {
  /** Writes all values in one line: as totals, and also by dimension if dimensions are passed. */
  record(
    values: Readonly<Partial<Record<Name, number>>>,
    dimensions?: Readonly<Partial<Record<Dimension, string>>>,
  ): void;
}

/** Creates the metrics; nothing is written if `POWERTOOLS_METRICS_DISABLED=true`, as in the local service. */
export function embeddedMetrics<Name extends string, Dimension extends string>(
  { metricsDisabled, metricsNamespace, serviceName }: Settings,
  units: Readonly<Record<Name, 'Count' | 'Seconds'>>,
): Metrics<Name, Dimension> {
  const metrics = new EmbeddedMetrics({ namespace: metricsNamespace, serviceName });
  return {
    record(values, dimensions) {
      if (metricsDisabled === 'true') return;
      // The empty dimension set produces the totals that alarms use.
      metrics.addDimensions({});
      if (dimensions) metrics.addDimensions(dimensions as Record<string, string>);
      for (const [name, value] of Object.entries(values) as [Name, number][])
        metrics.addMetric(name, units[name], value);
      metrics.publishStoredMetrics();
    },
  };
}
