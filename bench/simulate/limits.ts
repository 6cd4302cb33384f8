/** The number of tasks per second at which each quota is exhausted. */
import { clientRequests, concurrencyOf, type Demand, totalCalls, webhookConcurrency } from './demand.ts';
import { type QuotaName, quotas } from './quotas.ts';

export interface Limit {
  readonly name: string;
  readonly quota: number;
  /** How much of it one task needs. */
  readonly need: number;
  /** Tasks per second. */
  readonly breaksAt: number;
}

/** The share of receivers that do not respond, for the limits that depend on it. */
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
  ['partitionWrites', demand.shardWrites, 'DynamoDB: write units per second of a shard of the index “open”'],
  ['prefixWrites', demand.storageWrites],
  ['openExecutions', demand.openSeconds],
  ['macs', 1],
];

/** Ordered by the load at which they break; quotas that a task does not need are left out. */
export const limitsOf = (demand: Demand): readonly Limit[] =>
  needsOf(demand)
    .filter(([, need]) => need > 0)
    .map(([quota, need, name = quotas[quota].name]) => {
      const { amount } = quotas[quota];
      return { name, quota: amount, need, breaksAt: amount / need };
    })
    .sort((one, other) => one.breaksAt - other.breaksAt);
