/** Settings of the offline engine from environment variables. */

export const offlineEngineFailures = ['none', 'reject', 'fail', 'hang', 'lose-callback'] as const;

/** A simulated failure: see the protocol in offline-engine.ts. */
export type OfflineEngineFailure = (typeof offlineEngineFailures)[number];

const failureName = /\[offline:([a-z-]+)\]/;

/** The failure that a job's input requests with a word such as `[offline:fail]` in any of its texts. */
export const requestedFailure = (input: unknown): OfflineEngineFailure | undefined => {
  const [, name] = failureName.exec(JSON.stringify(input) ?? '') ?? [];
  return offlineEngineFailures.find((candidate) => candidate === name);
};

/**
 * Parses the setting; absent or empty means `none`. @throws {Error} whose message names the variable and the accepted
 * values
 */
export const parseOfflineEngineFailure = (text: string | undefined): OfflineEngineFailure => {
  if (!text) return 'none';
  const failure = offlineEngineFailures.find((candidate) => candidate === text);
  if (!failure)
    throw new Error(`OFFLINE_ENGINE_FAILURE must be one of ${offlineEngineFailures.join(', ')}, but is "${text}".`);
  return failure;
};

const longestLatencyMs = 600_000;

/**
 * Parses the setting; absent or empty means 0. @throws {Error} whose message names the variable and the accepted values
 */
export const parseOfflineEngineLatencyMs = (text: string | undefined): number => {
  if (!text) return 0;
  const latencyMs = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(latencyMs <= longestLatencyMs)) {
    throw new Error(
      `OFFLINE_ENGINE_LATENCY_MS must be an integer number of milliseconds from 0 to ${longestLatencyMs}, but is "${text}".`,
    );
  }
  return latencyMs;
};
