/** Metrics that a test can inspect. */
import type { ServiceMetrics } from '../../shared/domain/metrics.ts';

export interface RecordedMetrics extends ServiceMetrics {
  readonly recorded: Parameters<ServiceMetrics['record']>[];
}

export function recordedMetrics(): RecordedMetrics {
  const recorded: RecordedMetrics['recorded'] = [];
  return { recorded, record: (...line) => void recorded.push(line) };
}
