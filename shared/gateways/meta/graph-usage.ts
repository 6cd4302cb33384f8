/** Tracks how much of its rate limits an app and a page have used, as the response headers report it. */
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { jsonIn } from '../../platform/json-in.ts';

const percent = z.number().catch(0);
const Usage = z.object({ call_count: percent, total_time: percent, total_cputime: percent });
const AppUsage = Usage;
/** The usage of a page, including the minutes for which it remains throttled. */
const PageUsage = z.record(z.string(), z.array(Usage.extend({ estimated_time_to_regain_access: percent })));

const highestPercent = (usage: z.infer<typeof Usage>): number =>
  Math.max(usage.call_count, usage.total_time, usage.total_cputime);

const headerIn = <Schema extends z.ZodType>(headers: Headers, name: string, schema: Schema) =>
  schema.safeParse(jsonIn(headers.get(name) ?? '')).data;

const pageUsages = (headers: Headers) =>
  Object.values(headerIn(headers, 'x-business-use-case-usage', PageUsage) ?? {}).flat();

/** The longest that a page remains throttled: no limit counts more than the calls of a day. */
const longestSeconds = 24 * 3600;

/** How many seconds the page remains throttled; undefined if the response does not say. */
export function regainSeconds(headers: Headers): number | undefined {
  const minutes = Math.max(0, ...pageUsages(headers).map((usage) => usage.estimated_time_to_regain_access));
  const seconds = Math.max(minutes * 60, Number(headers.get('retry-after')) || 0);
  return seconds > 0 ? Math.min(Math.ceil(seconds), longestSeconds) : undefined;
}

/** The usage, in percent, above which only what users are waiting for is requested. */
const highPercent = 95;

/** The usage, in percent, above which optional requests are skipped. */
const halfPercent = 50;

const optionally = (name: string): string => `${name}, optionally`;

/** How long requests pause; usage is counted over an hour, so it falls slowly. */
const pauseSeconds = 60;

/** Remembers in this process which apps and pages are close to a limit. */
export function usageLimits(clock: Clock) {
  const pausedUntil = new Map<string, number>();

  function pause(name: string, seconds: number): void {
    const now = clock.now();
    for (const [other, until] of pausedUntil) if (until <= now) pausedUntil.delete(other);
    pausedUntil.set(name, Math.max(pausedUntil.get(name) ?? 0, now + seconds * 1000));
  }

  return {
    /** Records a response's usage; `page` is undefined while the token's page is unknown. */
    record(app: string, page: string | undefined, headers: Headers, isThrottled: boolean): void {
      const appUsage = headerIn(headers, 'x-app-usage', AppUsage);
      const appPercent = appUsage ? highestPercent(appUsage) : 0;
      const pagePercent = Math.max(0, ...pageUsages(headers).map(highestPercent));
      if (appPercent >= halfPercent) pause(optionally(app), pauseSeconds);
      if (appPercent >= highPercent) pause(app, pauseSeconds);
      if (page === undefined) return;
      if (pagePercent >= halfPercent) pause(optionally(page), pauseSeconds);
      if (isThrottled || pagePercent >= highPercent) pause(page, regainSeconds(headers) ?? pauseSeconds);
    },
    /** How many seconds to wait before a request; 0 for none. */
    secondsLeft(app: string, page: string | undefined, isOptional: boolean): number {
      const either = page === undefined ? [app] : [app, page];
      const names = [...either, ...(isOptional ? either.map(optionally) : [])];
      const until = Math.max(...names.map((name) => pausedUntil.get(name) ?? 0));
      return Math.max(0, Math.ceil((until - clock.now()) / 1000));
    },
  };
}
