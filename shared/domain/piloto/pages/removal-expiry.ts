/**
 * How long removals of messages and comments are remembered: far longer than a social network keeps repeating an event.
 */
const removalsKeptSeconds = 30 * 24 * 3600;

/** When DynamoDB may delete the marker of a removed message or comment, in seconds since the epoch. */
export const removalExpiry = (removedAt: number): number => Math.ceil(removedAt / 1000) + removalsKeptSeconds;
