/** The only place that reads the time. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601, UTC, with milliseconds. */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();
