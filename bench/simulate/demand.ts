/** What one good task asks of AWS. A test holds the counts against a run of the service; the times are assumptions. */
import { allOpenShards } from '../../shared/domain/keys.ts';
import { attemptsPerSeries, attemptTimeoutMs } from '../../shared/domain/webhooks/webhook.ts';

export interface Way {
  readonly reports: 'callback' | 'asking';
  /** How often the engine is asked beyond its submission. */
  readonly asks: number;
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
  /** Write units that a shard of the index `open` gets of a task: its entry is made, moved twice and removed. */
  readonly shardWrites: number;
  readonly openSeconds: number;
}

/** Read units of one audit of an account that nobody has used since the last one; an account in use takes a write besides. */
export const auditReads = 4;

/** An engine that calls back does so when it begins and when it is done. */
const callbacks = 2;

export function demandOf({ reports, asks, polls, jobSeconds }: Way): Demand {
  const called = reports === 'callback' ? callbacks : 0;
  // The last question of one who must be asked brings the outcome, every other one brings progress.
  const raises = reports === 'callback' ? asks : Math.max(0, asks - 1);
  const calls = {
    generateVoice: 1,
    getTask: polls,
    askEngine: 1 + asks,
    receiveEngineCallback: called,
    finalize: 1,
    deliverWebhook: 1,
  };
  return {
    calls,
    apiRequests: 1 + polls + called,
    writeUnits: 37 + polls + asks + raises,
    readUnits: 4 + polls + asks + 2 * called,
    stateTransitions: 2 + asks,
    successes: 1,
    failures: reports === 'asking' ? asks : 0,
    signatures: 1,
    storageWrites: 1,
    shardWrites: 6 / allOpenShards.length,
    openSeconds: jobSeconds + 2,
  };
}

/** Seconds that a call takes on AWS, as `npm run cost` measures them here. */
const seconds: Readonly<Record<string, number>> = {
  generateVoice: 0.06,
  getTask: 0.03,
  askEngine: 0.36,
  receiveEngineCallback: 0.03,
  finalize: 0.35,
  deliverWebhook: 0.37,
};

/** An attempt at a receiver that does not answer. */
export const attemptSeconds = attemptTimeoutMs / 1000;

export const secondsOf = (functionName: string): number => seconds[functionName] ?? 0;

export const totalCalls = ({ calls }: Demand): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

/** Requests of a task that come from its back end's own address. */
export const clientRequests = ({ calls }: Demand): number => (calls.generateVoice ?? 0) + (calls.getTask ?? 0);

/** Simultaneous calls for each task a second: Little's law. */
export const concurrencyOf = ({ calls }: Demand): number =>
  Object.entries(calls).reduce((sum, [name, count]) => sum + count * secondsOf(name), 0);

/** The same of webhooks alone, when a share of the receivers does not answer. */
export const webhookConcurrency = (silentShare: number): number =>
  (1 - silentShare) * secondsOf('deliverWebhook') + silentShare * attemptsPerSeries * attemptSeconds;
