/** Parses times of the Graph API. */
import * as z from 'zod';
import { claimedTime } from '../../platform/claimed-time.ts';

/** ISO 8601 with an offset without a colon, such as `2026-11-23T01:00:00+0000`. */
export const Moment = z
  .string()
  .transform((text) => claimedTime(Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))));

/** A time in seconds or milliseconds, depending on the kind of event. */
export const EventTime = z.number().transform((time) => claimedTime(time < 100_000_000_000 ? time * 1000 : time));
