/** Finds out whether something was sent whose response was lost: networks have no idempotency keys. */
import type { Page } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import { timeOfId } from '../../platform/ids.ts';
import type { Attempt } from '../idempotency/run-once.ts';
import { Rejection } from '../rejection.ts';

/** How much the network's clock may be behind. */
const skewMs = 60_000;

/** How long after a call what it sent may still appear in lists. */
const arrivalMs = 120_000;

/** Of the lists that are searched: more than a page writes in the hours for which a key is remembered. */
const mostParts = 40;

/** How soon it is worth looking again. */
const lookAgainSeconds = 10;

/** Networks may trim what they are sent. */
const isSameText = (one: string | null, other: string): boolean =>
  one !== null && one.trim().normalize('NFC') === other.trim().normalize('NFC');

/** The calls of a request, none of which is known to have succeeded. */
export interface Lost {
  /** Was claimed before the first call. */
  readonly outsideKey: string;
  readonly text: string;
  readonly lastCall: Pick<Attempt, 'calledAt'>;
}

/** Whether what was written at a time is so old that it was sent by somebody else. */
export const isBefore = ({ outsideKey }: Pick<Lost, 'outsideKey'>, createdAt: number): boolean =>
  createdAt < timeOfId(outsideKey) - skewMs;

/** Whether what was written may have been sent by one of the calls. */
export const mayBeSentBy = (lost: Lost, { text, createdAt }: Written): boolean =>
  isSameText(text, lost.text) && !isBefore(lost, createdAt) && createdAt <= lost.lastCall.calledAt + arrivalMs + skewMs;

interface Written {
  readonly text: string | null;
  readonly createdAt: number;
}

interface Search<Entry> {
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  /** Whether it is wanted. */
  readonly isIt: (entry: Entry) => boolean | Promise<boolean>;
  readonly timeOf: (entry: Entry) => number;
  /** After which entry none that is wanted can be. */
  readonly isEnd?: (entry: Entry) => boolean;
}

/** The oldest of two, one of which may be missing. */
const olderOf = <Entry>({ timeOf }: Pick<Search<Entry>, 'timeOf'>, one: Entry | undefined, other: Entry): Entry =>
  one === undefined || timeOf(other) <= timeOf(one) ? other : one;

/**
 * Of the entries that are wanted, in the parts of a list, the oldest: what somebody else has sent since looks the same.
 * @throws {Rejection} in-progress, if it may be one that the network tells too little of
 */
export async function searchParts<Entry>(search: Search<Entry>): Promise<Entry | undefined> {
  const { list, isIt, isEnd = () => false } = search;
  let cursor: string | undefined;
  let found: Entry | undefined;
  for (let part = 0; part < mostParts; part += 1) {
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

/** Nothing was found: then nothing has arrived, unless it may still appear. @throws {Rejection} in-progress */
export function requireArrivalOver(clock: Clock, { isInherited, calledAt }: Attempt): void {
  if (isInherited && clock.now() < calledAt + arrivalMs) throw stillUnknown();
}
