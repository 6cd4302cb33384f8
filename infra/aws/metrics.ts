/** The service's own metrics, as alarms and the dashboard name them. */
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricDimension, type MetricName, metricUnits } from '../../shared/domain/metrics.ts';
import { defaultServiceName } from '../../shared/platform/settings.ts';
import type { Stage } from './stages.ts';

/** The namespace of a stage's metrics; stages may share an account. */
export const metricsNamespace = ({ name }: Pick<Stage, 'name'>): string => `GenerationService/${name}`;

/** The dimension of the totals that functions record with each value; see shared/platform/metrics.ts. */
const serviceDimension = { service: defaultServiceName };

export function serviceMetric(
  stage: Pick<Stage, 'name'>,
  metricName: MetricName,
  dimensions: Readonly<Partial<Record<MetricDimension, string>>> = {},
): Metric {
  return new Metric({
    namespace: metricsNamespace(stage),
    metricName,
    dimensionsMap: { ...serviceDimension, ...dimensions },
    statistic: metricUnits[metricName] === 'Count' ? Stats.SUM : Stats.MAXIMUM,
    period: Duration.minutes(5),
  });
}
