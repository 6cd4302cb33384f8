/** The only module that reads the current time. */

export interface Clock {
  /** The current time in milliseconds since the epoch. */
  now(): number;
}

/** The CPU time, in milliseconds, that the calling thread has used, however busy the machine is. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A time in milliseconds that only grows, to measure how long something takes. */
export const steadyMs = (): number => performance.now();

export const systemClock: Clock = { now: () => Date.now() };

export const dayMs = 24 * 3_600_000;

/** When the day (UTC) of a given time began. */
export const midnightBefore = (milliseconds: number): number => milliseconds - (milliseconds % dayMs);

/** The seconds from a time to the next day (UTC). */
export const secondsToMidnight = (milliseconds: number): number =>
  Math.ceil((midnightBefore(milliseconds) + dayMs - milliseconds) / 1000);

/** Formats a time as ISO 8601 in UTC with milliseconds. */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The day (UTC) that a time belongs to, such as `2026-11-21`. */
export const dayAt = (milliseconds: number): string => timestamp(milliseconds).slice(0, 10);

/** The days (UTC) from one to another, both inclusive; none if the first is later. */
export function daysBetween(from: string, to: string): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: Math.max(0, days) }, (_, position) => dayAt(Date.parse(from) + position * dayMs));
}
