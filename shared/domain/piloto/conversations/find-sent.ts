/**
 * Determines whether a message or comment was sent although the response was lost, since social networks have no
 * idempotency keys.
 */
import type { Page } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import { timeOfId } from '../../../platform/ids.ts';
import type { Attempt } from '../../idempotency/run-once.ts';
import { Rejection } from '../../rejection.ts';

/** How much the social network's clock may be behind. */
const skewMs = 60_000;

/** How long after a call its message may take to appear in lists. */
const arrivalMs = 120_000;

/** The most chunks of a list to search: more than a page writes within the lifetime of an idempotency key. */
const maxParts = 40;

/** How soon a client should retry a message or comment whose result is unknown. */
const lookAgainSeconds = 10;

/** More combining characters than any letter has, which take quadratic time to normalize. Only the first are compared. */
const crowded = /(\p{M}{100})\p{M}+/gu;

const comparable = (text: string): string => text.trim().replaceAll(crowded, '$1').normalize('NFC');

/** Whether two texts are equal, ignoring white space that social networks may trim. */
const isSameText = (one: string | null, other: string): boolean =>
  one !== null && comparable(one) === comparable(other);

/** The earlier calls of a request, whose results are unknown. */
export interface Lost {
  /** The key for the external system. It contains the time at which it was claimed, which precedes all calls. */
  readonly outsideKey: string;
  readonly text: string;
  readonly lastCall: Pick<Attempt, 'calledAt'>;
}

/** Whether an entry is too old to have been sent by one of the calls. */
export const isBefore = ({ outsideKey }: Pick<Lost, 'outsideKey'>, createdAt: number): boolean =>
  createdAt < timeOfId(outsideKey) - skewMs;

/** Whether an entry may have been sent by one of the calls. */
export const mayBeSentBy = (lost: Lost, { text, createdAt }: Written): boolean =>
  isSameText(text, lost.text) && !isBefore(lost, createdAt) && createdAt <= lost.lastCall.calledAt + arrivalMs + skewMs;

interface Written {
  readonly text: string | null;
  readonly createdAt: number;
}

interface Search<Entry> {
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  /** Whether this is the entry that the search looks for. */
  readonly isIt: (entry: Entry) => boolean | Promise<boolean>;
  readonly timeOf: (entry: Entry) => number;
  /** Whether no match can follow this entry. */
  readonly isEnd?: (entry: Entry) => boolean;
}

/** The older of two entries, either of which may be missing. */
const olderOf = <Entry>({ timeOf }: Pick<Search<Entry>, 'timeOf'>, one: Entry | undefined, other: Entry): Entry =>
  one === undefined || timeOf(other) <= timeOf(one) ? other : one;

/**
 * Searches a list, chunk by chunk, for the oldest match: a newer one with the same content may have another author.
 * @throws {Rejection} in-progress, if a possible match lacks the details to decide
 */
export async function searchParts<Entry>(search: Search<Entry>): Promise<Entry | undefined> {
  const { list, isIt, isEnd = () => false } = search;
  let cursor: string | undefined;
  let found: Entry | undefined;
  for (let part = 0; part < maxParts; part += 1) {
    const { items, unreadable, next } = await list(cursor);
    for (const item of items) if (await isIt(item)) found = olderOf(search, found, item);
    if (items.some(isEnd)) return found;
    if (unreadable.length > 0) break;
    if (next === undefined) return found;
    cursor = next;
  }
  if (found) return found;
  throw stillUnknown();
}

export const stillUnknown = (): Rejection =>
  new Rejection('in-progress', {
    message: 'It is not known yet whether an earlier request with the same text has arrived: try again later.',
    retryAfterSeconds: lookAgainSeconds,
  });

/**
 * For a search without a match: rejects the request if an earlier attempt was so recent that its message may still
 * appear; otherwise that attempt has sent nothing.
 * @throws {Rejection} in-progress
 */
export function requireArrivalOver(clock: Clock, { isInherited, calledAt }: Attempt): void {
  if (isInherited && clock.now() < calledAt + arrivalMs) throw stillUnknown();
}
