/** Converts a task's measurements into billable units. */

import { inputsRetentionDays, memoryMbOf } from '../../infra/hosting.ts';
import { resultsRetentionDays } from '../../shared/contracts/limits.ts';
import { accessLogBytes, logLineOverheadBytes, minBilledMs, startMsPerCall } from './assumptions.ts';
import type { Resource } from './prices.ts';
import type { Call, TaskRecord } from './task-record.ts';

/** The quantity of each item. */
export type Usage = Readonly<Record<Resource, number>>;

const bytesPerGigabyte = 2 ** 30;
const daysPerMonth = 365.25 / 12;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

/** Billed milliseconds, which are rounded up. */
export const billedMs = (ms: number): number => Math.max(minBilledMs, Math.ceil(ms)) + startMsPerCall;

export const gigabyteSeconds = ({ functionName, ms }: Pick<Call, 'functionName' | 'ms'>): number =>
  (memoryMbOf(functionName) / 1024) * (billedMs(ms) / 1000);

/** The size of the log: the function's own lines, and the access log's line for HTTP calls. */
const loggedBytes = ({ isHttp, logBytes, logLines }: Call): number =>
  logBytes + logLines * logLineOverheadBytes + (isHttp ? accessLogBytes + logLineOverheadBytes : 0);

/**
 * The number of state transitions: the states entered, plus one for each retry, because the history counts only first
 * attempts.
 */
function transitionsOf({ calls, statesEntered }: TaskRecord): number {
  const callsOf = (name: string): number => calls.filter(({ functionName }) => functionName === name).length;
  return statesEntered.length + sum([callsOf('askEngine'), callsOf('finalize')].map((attempts) => attempts - 1));
}

function capacityOf({ trips }: TaskRecord): Pick<Usage, 'readUnits' | 'writeUnits'> {
  const units = (isRead: boolean): number =>
    sum(
      trips
        .filter(({ to, operation }) => to === 'DynamoDB' && reads.has(operation) === isRead)
        .map(({ capacityUnits }) => capacityUnits),
    );
  return { readUnits: units(true), writeUnits: units(false) };
}

export function usageOf(record: TaskRecord): Usage {
  const { calls, credentials, inputBytes, requests, resultBytes, webhookBytes } = record;
  const requestsTo = (...names: string[]): number => requests.filter((name) => names.includes(name)).length;
  const apiRequests = calls.filter(({ isHttp }) => isHttp).length;
  return {
    apiRequests,
    firewallRequests: apiRequests,
    lambdaRequests: calls.length,
    lambdaGigabyteSeconds: sum(calls.map(gigabyteSeconds)),
    ...capacityOf(record),
    stateTransitions: transitionsOf(record),
    queueRequests: requests.filter((name) => name.startsWith('SQS ')).length,
    storageWrites: requestsTo('S3 PUT', 'S3 POST'),
    storageReads: requestsTo('S3 GET', 'S3 HEAD'),
    storedGigabyteMonths:
      (resultBytes * resultsRetentionDays + inputBytes * inputsRetentionDays) / bytesPerGigabyte / daysPerMonth,
    macs: requestsTo('KMS GenerateMac'),
    signatures: requestsTo('KMS Sign') + credentials,
    logGigabytes: sum(calls.map(loggedBytes)) / bytesPerGigabyte,
    sentGigabytes:
      (sum(calls.map(({ responseBytes }) => responseBytes)) + webhookBytes + inputBytes) / bytesPerGigabyte,
  };
}

/** The mean usage of several tasks. */
export function meanUsage(usages: readonly Usage[]): Usage {
  const names = Object.keys(usages[0] ?? {}) as Resource[];
  const mean = (name: Resource): number => sum(usages.map((usage) => usage[name])) / usages.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as Usage;
}
