/** The alarms for the daily figures: wrong ones, operations that sell below cost, and charges that no price explains. */
import { Duration } from 'aws-cdk-lib';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { AlarmDefinitions } from './alarm-definition.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

/**
 * How far, in millionths of a dollar, the costs of an operation may exceed its sales within an hour: a few failed tasks
 * cause this much.
 */
const toleratedLossMicros = 1_000_000;

export const figureAlarms = (stage: Stage): AlarmDefinitions => ({
  FigureDrift: {
    metric: serviceMetric(stage, 'FigureDrift'),
    threshold: 0,
    impact: 'The figures of a day are not those of the ledger, the tasks and their jobs: the margin shown is wrong.',
    runbook: 'Credits do not add up',
  },
  ...Object.fromEntries(
    Object.keys(generateContracts).map((operation) => [
      `SoldBelowCost-${operation}`,
      {
        metric: serviceMetric(stage, 'CostAboveSales', { operation }).with({ period: Duration.hours(1) }),
        threshold: toleratedLossMicros,
        impact: `For an hour, engines have charged more for ${operation} than its credits are worth: each task loses money.`,
        runbook: 'An operation sells below cost',
      },
    ]),
  ),
  UnexpectedCharges: {
    metric: serviceMetric(stage, 'UnexpectedCharges').with({ period: Duration.hours(1) }),
    threshold: 2,
    impact: 'A provider charges another price than the one in the catalog: the margins shown are out of date.',
    runbook: 'An engine changes its price',
  },
});
