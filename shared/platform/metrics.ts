/** How the service counts: lines on standard output that CloudWatch makes metrics of (embedded metric format). */
import { Metrics as EmbeddedMetrics } from '@aws-lambda-powertools/metrics';
import type { Settings } from './settings.ts';

export interface Metrics<Name extends string, Dimension extends string> {
  /** All values in one line: as totals, and once more by the dimensions if any are given. */
  record(
    values: Readonly<Partial<Record<Name, number>>>,
    dimensions?: Readonly<Partial<Record<Dimension, string>>>,
  ): void;
}

/** Nothing is written where the environment says `POWERTOOLS_METRICS_DISABLED=true`, as the local service's does. */
export function embeddedMetrics<Name extends string, Dimension extends string>(
  { metricsDisabled, metricsNamespace, serviceName }: Settings,
  units: Readonly<Record<Name, 'Count' | 'Seconds'>>,
): Metrics<Name, Dimension> {
  const metrics = new EmbeddedMetrics({ namespace: metricsNamespace, serviceName });
  return {
    record(values, dimensions) {
      if (metricsDisabled === 'true') return;
      // Without this set there would be no total for an alarm to watch.
      metrics.addDimensions({});
      if (dimensions) metrics.addDimensions(dimensions as Record<string, string>);
      for (const [name, value] of Object.entries(values) as [Name, number][])
        metrics.addMetric(name, units[name], value);
      metrics.publishStoredMetrics();
    },
  };
}
