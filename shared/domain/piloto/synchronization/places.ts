/**
 * Queries the rows that hold the positions of messages or comments in their partition: strongly consistent, newest
 * first.
 */
import { placePrefix } from '../../inbox-keys.ts';
import { checkTime } from '../../keys.ts';

/** A sort key that sorts after every position. */
const end = `${placePrefix}~`;

const between = (pk: string, from: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': end },
  ScanIndexForward: false,
  ConsistentRead: true,
});

export const placesOf = (pk: string) => between(pk, placePrefix);

/** The positions after a given time. */
export const placesAfter = (pk: string, time: number) => between(pk, `${placePrefix}${checkTime(time + 1)}`);
