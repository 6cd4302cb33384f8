/** At how many tasks a second each quota is used up. */
import { clientRequests, concurrencyOf, type Demand, totalCalls, webhookConcurrency } from './demand.ts';
import { type QuotaName, quotas } from './quotas.ts';

export interface Limit {
  readonly name: string;
  readonly quota: number;
  /** What one task takes of it. */
  readonly need: number;
  /** Tasks a second. */
  readonly breaksAt: number;
}

/** The share of receivers that do not answer, where that is looked at. */
const silentShare = 0.1;

type Need = readonly [quota: QuotaName, need: number, name?: string];

const needsOf = (demand: Demand): readonly Need[] => [
  ['engineJobs', demand.openSeconds],
  ['apiThrottle', demand.apiRequests],
  ['addressRequests', clientRequests(demand)],
  ['webhookWorkers', webhookConcurrency(0)],
  ['webhookWorkers', webhookConcurrency(silentShare), `${quotas.webhookWorkers.name}, a tenth of receivers silent`],
  ['coldTableWrites', demand.writeUnits],
  ['starts', 1],
  ['transitions', demand.stateTransitions],
  ['signatures', demand.signatures],
  ['successes', demand.successes],
  ['failures', demand.failures],
  ['callRate', totalCalls(demand)],
  ['concurrency', concurrencyOf(demand)],
  [
    'concurrency',
    concurrencyOf(demand) - webhookConcurrency(0) + webhookConcurrency(silentShare),
    `${quotas.concurrency.name}, a tenth of receivers silent`,
  ],
  ['pollerConcurrency', webhookConcurrency(silentShare), `${quotas.pollerConcurrency.name}, a tenth silent`],
  ['apiRequests', demand.apiRequests],
  ['tableWrites', demand.writeUnits],
  ['tableReads', demand.readUnits],
  ['partitionWrites', demand.shardWrites, 'DynamoDB: write units a second of a shard of the index “open”'],
  ['prefixWrites', demand.storageWrites],
  ['openExecutions', demand.openSeconds],
  ['macs', 1],
];

/** The first to break comes first; what a task does not need is left out. */
export const limitsOf = (demand: Demand): readonly Limit[] =>
  needsOf(demand)
    .filter(([, need]) => need > 0)
    .map(([quota, need, name = quotas[quota].name]) => {
      const { amount } = quotas[quota];
      return { name, quota: amount, need, breaksAt: amount / need };
    })
    .sort((one, other) => one.breaksAt - other.breaksAt);
