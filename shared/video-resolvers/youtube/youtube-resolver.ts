/**
 * Adapter to the YouTube Data API v3, following its reference (2026-11): `GET videos` with `part=contentDetails` costs
 * one of 10,000 units a day, returns no items for a private or deleted video, and gives durations in ISO 8601. Errors
 * have a status and a `reason`, such as `quotaExceeded`.
 *
 * Unverified, because no account has been used: that a live stream has the duration `P0D`, and that this API accepts
 * the key in a header, as Google documents for its APIs in general.
 */
import * as z from 'zod';
import { boundedExchange, type ProviderResponse } from '../../platform/bounded-exchange.ts';
import { jsonIn } from '../../platform/json-in.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import type { ResolvedVideo } from '../video-resolver.ts';

export interface YoutubeAccess {
  /** The base URL, `https://www.googleapis.com/youtube/v3`; the key is sent nowhere else. */
  readonly url: string;
  /** The key is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
}

const maxResponseBytes = 64 * 1024;

const VideoList = z.object({
  items: z.array(z.object({ contentDetails: z.object({ duration: z.string() }) })).max(50),
});

const Fault = z.object({
  error: z.object({
    errors: z
      .array(z.object({ reason: z.string() }))
      .min(1)
      .max(50),
  }),
});

const form = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const secondsOfUnits = [604_800, 86_400, 3_600, 60, 1] as const;

/** The longest plausible duration, a year: what is much longer could not be stored. */
const longestSeconds = 366 * 86_400;

/** Parses a duration such as `P1DT2H3M4S` to seconds; undefined if it has another form or is implausible. */
export function isoSeconds(duration: string): number | undefined {
  const found = form.exec(duration);
  if (!found || !/\d/.test(duration)) return undefined;
  const seconds = secondsOfUnits.reduce((sum, unit, at) => sum + unit * Number(found[at + 1] ?? 0), 0);
  return seconds <= longestSeconds ? seconds : undefined;
}

/** Reasons for which YouTube refuses all requests of the service until its day ends. */
const exhaustion: readonly string[] = ['quotaExceeded', 'dailyLimitExceeded'];

/** Describes a failed response for the log; only letters of the `reason` are included. */
function failureOf({ status, text }: ProviderResponse): ResolvedVideo {
  const reason = Fault.safeParse(jsonIn(text)).data?.error.errors[0]?.reason ?? '';
  const problem = `YouTube responded with ${status}${/^[A-Za-z]{1,40}$/.test(reason) ? ` (${reason})` : ''}`;
  return { status: exhaustion.includes(reason) ? 'exhausted' : 'failed', problem };
}

function resolvedVideo(response: ProviderResponse): ResolvedVideo {
  if (response.status === 404) return { status: 'missing' };
  if (response.status !== 200) return failureOf(response);
  const list = VideoList.safeParse(jsonIn(response.text)).data;
  if (!list) return { status: 'failed', problem: 'the response of YouTube has no list of videos' };
  const [video] = list.items;
  if (!video) return { status: 'missing' };
  const durationSec = isoSeconds(video.contentDetails.duration);
  if (durationSec === undefined) return { status: 'failed', problem: 'YouTube gave a duration in another form' };
  return durationSec > 0 ? { status: 'found', durationSec } : { status: 'live' };
}

/** The key is sent in a header, because URLs are logged in more places. */
const headersWith = (key: string): Headers => {
  try {
    return new Headers({ 'X-Goog-Api-Key': key, Accept: 'application/json' });
  } catch {
    // The new error replaces the original one, which would quote the key.
    throw new Error('the YouTube key contains characters that are not allowed in a header');
  }
};

const fields = 'items/contentDetails/duration';

export async function resolveYoutubeVideo(
  { url, key }: YoutubeAccess,
  id: string,
  timeLimitMs: number,
): Promise<ResolvedVideo> {
  const query = new URLSearchParams({ part: 'contentDetails', id, fields });
  const exchange = async () => {
    const request = { url: `${url}/videos?${query.toString()}`, headers: headersWith(await key()) };
    return boundedExchange('YouTube', request, { timeLimitMs, maxBytes: maxResponseBytes });
  };
  try {
    // The time is limited here, because reading the key has no time limit of its own.
    return resolvedVideo(await untilAborted(exchange(), AbortSignal.timeout(timeLimitMs)));
  } catch (error) {
    return { status: 'failed', problem: (error as Error).message };
  }
}
