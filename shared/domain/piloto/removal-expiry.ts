/** Far longer than a network repeats an event. */
const removalsKeptSeconds = 30 * 24 * 3600;

/** When the table may forget that a message or comment was removed, in seconds. */
export const removalExpiry = (removedAt: number): number => Math.ceil(removedAt / 1000) + removalsKeptSeconds;
