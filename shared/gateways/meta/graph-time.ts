/** Times in what the Graph API sends. */
import * as z from 'zod';
import { claimedTime } from '../../platform/claimed-time.ts';

/** ISO 8601 with an offset without a colon, as in `2026-11-23T01:00:00+0000`. */
export const Moment = z
  .string()
  .transform((text) => claimedTime(Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))));

/** Events count in seconds or in milliseconds, depending on their kind. */
export const EventTime = z.number().transform((time) => claimedTime(time < 100_000_000_000 ? time * 1000 : time));
