/** Formats a time that may be unknown. */
import { timestamp } from '../../shared/platform/clock.ts';

export const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));
