/** Queries the rows that hold the positions of messages or comments, with consistent reads and newest first. */
import { placePrefix } from '../../inbox-keys.ts';
import { checkTime } from '../../index-keys.ts';
import { newestFirst } from '../../list-page.ts';

/** A sort key that sorts after every position. */
const end = `${placePrefix}~`;

/** All positions, or those that are older than a given one; positions sort before all other rows of a partition. */
export const placesOf = (pk: string, after: string = end) => newestFirst({ pk, after });

/** The positions after a given time. */
export const placesAfter = (pk: string, time: number) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': pk, ':from': `${placePrefix}${checkTime(time + 1)}`, ':to': end },
  ConsistentRead: true,
});
