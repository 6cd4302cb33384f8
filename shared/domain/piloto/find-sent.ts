/** Finds out whether something was sent whose response was lost: networks know no idempotency keys. */
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
export const isSameText = (one: string | null, other: string): boolean =>
  one !== null && one.trim().normalize('NFC') === other.trim().normalize('NFC');

/** Whether what was written at a time may have been sent by a request that claimed its outside key then. */
export const mayBeSentBy = (outsideKey: string, createdAt: number): boolean =>
  createdAt >= timeOfId(outsideKey) - skewMs;

/**
 * The first entry that is wanted, in the parts of a list; `isEnd` says after which entry no other can be.
 * @throws {Rejection} in-progress, if it may be one that the network tells too little of
 */
export async function searchParts<Entry>(
  list: (cursor: string | undefined) => Promise<Page<Entry>>,
  pick: (entries: readonly Entry[]) => Promise<Entry | undefined>,
  isEnd: (entry: Entry) => boolean,
): Promise<Entry | undefined> {
  let cursor: string | undefined;
  for (let part = 0; part < mostParts; part += 1) {
    const { items, unreadable, next } = await list(cursor);
    const found = await pick(items);
    if (found || items.some(isEnd)) return found;
    if (unreadable.length > 0) break;
    if (next === undefined) return undefined;
    cursor = next;
  }
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
