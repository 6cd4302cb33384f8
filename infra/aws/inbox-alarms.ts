/** Alarms for connected pages. They roll nothing back, because a social network's outage must not block deployments. */
import { Duration } from 'aws-cdk-lib';
import type { AlarmDefinitions, AlarmSubjects } from './alarm-definition.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

export const inboxAlarms = (stage: Stage, { inboxDeadLetters }: AlarmSubjects): AlarmDefinitions => ({
  InboxDeadLetters: {
    metric: inboxDeadLetters,
    threshold: 0,
    impact: 'Events of connected pages could not be applied: inboxes depend on their synchronization alone.',
    runbook: 'Redrive dead letters',
  },
  OverdueInboxes: {
    metric: serviceMetric(stage, 'OldestOverdueInboxAge'),
    threshold: 900,
    periods: 3,
    // This metric is recorded every minute, so missing data means that the schedule does not run.
    isContinuous: true,
    impact:
      'Inboxes are not compared with their networks: lost messages stay lost, and disconnected pages are not erased.',
    runbook: 'Inboxes are behind',
  },
  FailingInboxes: {
    metric: serviceMetric(stage, 'InboxSyncFailures'),
    threshold: 50,
    periods: 3,
    impact: 'A social network is down or throttles the service: inboxes are behind.',
    runbook: 'Inboxes are behind',
  },
  RevokedConnections: {
    metric: serviceMetric(stage, 'ConnectionsRevoked').with({ period: Duration.hours(1) }),
    threshold: 5,
    impact: 'Many pages must be connected again: until then, their messages cannot be answered.',
    runbook: 'Connections are revoked',
  },
  EndingTokens: {
    metric: serviceMetric(stage, 'TokensExpiringSoon').with({ period: Duration.hours(1) }),
    threshold: 0,
    impact: 'The token of a connected page could not be renewed: within a week, its messages cannot be answered.',
    runbook: 'Tokens end soon',
  },
  RejectedSocialEvents: {
    metric: serviceMetric(stage, 'SocialEventsRejected'),
    threshold: 20,
    periods: 3,
    impact: 'Events of a social network fail signature verification: messages appear minutes late.',
    runbook: 'Inboxes are behind',
  },
});
