/**
 * Alarms for payments and subscriptions. They roll nothing back, because a gateway's outage must not block deployments.
 */
import { Duration } from 'aws-cdk-lib';
import type { AlarmDefinitions, AlarmSubjects } from './alarm-definition.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

const payments = (stage: Stage, { paymentDeadLetters }: AlarmSubjects): AlarmDefinitions => ({
  PaymentDeadLetters: {
    metric: paymentDeadLetters,
    threshold: 0,
    impact: 'Events of payments could not be processed for an hour: credits depend on the reconciliation alone.',
    runbook: 'Redrive dead letters',
  },
  BillingCases: {
    metric: serviceMetric(stage, 'OpenBillingCases'),
    threshold: 0,
    impact:
      'Money was paid or returned in a way that needs a decision: until then, a customer may have paid for nothing.',
    runbook: 'A payment needs a decision',
  },
  ReconciliationFailures: {
    metric: serviceMetric(stage, 'ReconciliationFailures'),
    threshold: 0,
    periods: 6,
    impact:
      'A payment cannot be read or applied, or payments cannot be searched: it may never be credited or refunded.',
    runbook: 'Payments are not credited',
  },
  OverdueOrders: {
    metric: serviceMetric(stage, 'OldestOverdueOrderAge'),
    threshold: 3600,
    periods: 3,
    // Every reconciliation records this metric, so missing data means that none completes.
    isContinuous: true,
    impact: 'Orders are not compared with the payment gateway: buyers may wait for credits that they have paid for.',
    runbook: 'Payments are not credited',
  },
  RejectedPaymentEvents: {
    metric: serviceMetric(stage, 'PaymentEventsRejected'),
    threshold: 20,
    periods: 3,
    impact: 'Events of a payment gateway fail signature verification: payments are credited minutes late.',
    runbook: 'Payment events are rejected',
  },
  UnreadablePaymentEvents: {
    metric: serviceMetric(stage, 'PaymentEventsUnreadable'),
    threshold: 0,
    impact: 'Events of a payment gateway have an unknown form: payments are credited minutes late.',
    runbook: 'Payment events are rejected',
  },
});

const subscriptions = (stage: Stage): AlarmDefinitions => ({
  OverdueSubscriptions: {
    metric: serviceMetric(stage, 'OldestOverdueSubscriptionAge'),
    threshold: 3600,
    periods: 3,
    // Every reconciliation records this metric, so missing data means that none completes.
    isContinuous: true,
    impact:
      'Subscriptions, or the search for those that have changed, are not compared with the gateway in time: paid months may be missing, or unpaid months may be in use.',
    runbook: 'Payments are not credited',
  },
  FailingRenewals: {
    metric: serviceMetric(stage, 'SubscriptionsPastDue').with({ period: Duration.hours(1) }),
    threshold: 20,
    impact: 'Many renewals are not paid: those customers lose their plan after three days, and get no credits.',
    runbook: 'Renewals fail',
  },
});

export const billingAlarms = (stage: Stage, subjects: AlarmSubjects): AlarmDefinitions => ({
  ...payments(stage, subjects),
  ...subscriptions(stage),
});
