/** The AWS resources that one successful task needs. A test compares the counts with a run; the times are assumptions. */

import { attemptsPerSeries } from '../../shared/contracts/limits.ts';
import { allOpenShards } from '../../shared/domain/keys.ts';
import { attemptTimeoutMs } from '../../shared/domain/webhooks/webhook.ts';

export interface Scenario {
  readonly completion: 'callback' | 'polling';
  /** How often the service checks the engine job after submitting it. */
  readonly checks: number;
  readonly polls: number;
  readonly jobSeconds: number;
}

export interface Demand {
  readonly calls: Readonly<Record<string, number>>;
  readonly apiRequests: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly stateTransitions: number;
  readonly successes: number;
  readonly failures: number;
  readonly signatures: number;
  readonly storageWrites: number;
  /** Write units per task and shard of the index `open`: the entry is added, moved twice and removed. */
  readonly shardWrites: number;
  readonly openSeconds: number;
}

/** Read units to audit an account that is unchanged since the last audit; an account in use takes an additional write. */
export const auditReads = 4;

/** An engine that calls back does so when it starts and when it finishes. */
const callbacks = 2;

export function demandOf({ completion, checks, polls, jobSeconds }: Scenario): Demand {
  const called = completion === 'callback' ? callbacks : 0;
  // With polling, the last check returns the outcome and every earlier one returns progress.
  const raises = completion === 'callback' ? checks : Math.max(0, checks - 1);
  const calls = {
    generateVoice: 1,
    getTask: polls,
    askEngine: 1 + checks,
    receiveEngineCallback: called,
    finalize: 1,
    deliverWebhook: 1,
  };
  return {
    calls,
    apiRequests: 1 + polls + called,
    writeUnits: 41 + polls + checks + raises,
    readUnits: 3 + polls + checks + 2 * called,
    stateTransitions: 2 + checks,
    successes: 1,
    failures: completion === 'polling' ? checks : 0,
    signatures: 1,
    storageWrites: 1,
    shardWrites: 6 / allOpenShards.length,
    openSeconds: jobSeconds + 2,
  };
}

/** Seconds per invocation on AWS, assumed to be what `npm run cost` measures locally. */
const seconds: Readonly<Record<string, number>> = {
  generateVoice: 0.06,
  getTask: 0.03,
  askEngine: 0.36,
  receiveEngineCallback: 0.03,
  finalize: 0.35,
  deliverWebhook: 0.37,
};

/** The duration of an attempt at a receiver that does not respond. */
export const attemptSeconds = attemptTimeoutMs / 1000;

export const secondsOf = (functionName: string): number => seconds[functionName] ?? 0;

export const totalCalls = ({ calls }: Demand): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

/** Requests per task that come from the back end's own address. */
export const clientRequests = ({ calls }: Demand): number => (calls.generateVoice ?? 0) + (calls.getTask ?? 0);

/** Concurrent invocations per task per second, by Little's law. */
export const concurrencyOf = ({ calls }: Demand): number =>
  Object.entries(calls).reduce((sum, [name, count]) => sum + count * secondsOf(name), 0);

/** The same for webhooks alone, when a share of the receivers does not respond. */
export const webhookConcurrency = (silentShare: number): number =>
  (1 - silentShare) * secondsOf('deliverWebhook') + silentShare * attemptsPerSeries * attemptSeconds;
