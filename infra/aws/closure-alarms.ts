/** The alarm for closed accounts that are not erased in time. */
import type { AlarmDefinitions } from './alarm-definition.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

/** Some hours of retries: an erasure waits for the copies of inboxes, and for gateways to be reached. */
const overdueClosureSeconds = 6 * 3600;

export const closureAlarms = (stage: Stage): AlarmDefinitions => ({
  OverdueClosures: {
    metric: serviceMetric(stage, 'OldestOverdueClosureAge'),
    threshold: overdueClosureSeconds,
    periods: 3,
    // Every run records this metric, so missing data means that none completes.
    isContinuous: true,
    impact: 'A closed account is not settled or erased in time: personal data is kept for longer than was promised.',
    runbook: 'An account is not erased',
  },
});
