/** What happens in a page's inbox at the social network, in which order, and how often each change is reported to the service. */
import * as fc from 'fast-check';
import type { OwnedPage } from '../../../shared/domain/piloto/conversations/conversation.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { testIds, testTime } from '../../support/test-table.ts';

interface Course {
  /** How often the event about a new entry arrives, and how often the event about its removal, if it is removed. */
  readonly arrivals: number;
  readonly removals: number;
  readonly isRemoved: boolean;
  /** The changes of a comment, one per second, and how often the event of each arrives. */
  readonly changes: readonly { readonly what: 'hide' | 'unhide' | 'edit'; readonly arrivals: number }[];
  /** Whether a request tries to like the comment, which has an effect only if the comment has been copied by then. */
  readonly isLiked: boolean;
}

export interface Planned extends Course {
  readonly parent: number;
  readonly isOwn: boolean;
  readonly at: number;
  /** Whether events do not say who wrote the comment. */
  readonly isAnonymous: boolean;
  /** Whether a synchronization does not say what the comment replies to. */
  readonly isFlat: boolean;
  /** The position of the comment to which this comment replies; absent for messages. */
  readonly repliesTo: number | undefined;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  parent: fc.nat(1),
  isOwn: fc.boolean(),
  isAnonymous: fc.nat(2).map((one) => one === 0),
  isFlat: fc.nat(2).map((one) => one === 0),
  at: fc.nat(6),
  repliesTo: fc.option(fc.nat(1), { nil: undefined }),
  arrivals: fc.constantFrom(0, 1, 1, 2),
  removals: fc.constantFrom(0, 1, 2),
  isRemoved: fc.nat(3).map((one) => one === 0),
  changes: fc.array(
    fc.record({ what: fc.constantFrom('hide', 'unhide', 'edit'), arrivals: fc.constantFrom(0, 1, 1, 1, 1, 2) }),
    { maxLength: 4 },
  ),
  isLiked: fc.boolean(),
});

export const history = fc.record({
  entries: fc.array(planned, { minLength: 1, maxLength: 8 }),
  order: fc.infiniteStream(fc.nat(1000)),
  together: fc.integer({ min: 1, max: 4 }),
});

export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Delivers every event as often as it arrives, and sends the requests, in the given order and some of them
 * concurrently.
 */
export async function happen({ order, together }: History, events: readonly (() => Promise<unknown>)[]): Promise<void> {
  const ranks = order[Symbol.iterator]();
  const shuffled = events
    .map((event) => ({ event, rank: ranks.next().value ?? 0 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ event }) => event);
  for (let from = 0; from < shuffled.length; from += together) {
    await Promise.all(shuffled.slice(from, from + together).map((event) => event()));
  }
}

export const sorted = (entries: readonly (readonly unknown[])[]) =>
  entries.map((entry) => entry.join(': ')).toSorted((a, b) => a.localeCompare(b, 'en'));

export const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

export function scene(table: Table) {
  let now = testTime + 1_000_000;
  const clock = { now: () => (now += 1) };
  const page: OwnedPage = { accountId: testIds.next(), channel: 'instagram', pageId: 'page' };
  return { page, needs: { clock, table } };
}

export const idOf = (index: number) => `entry-${index}`;
export const parentOf = ({ parent }: Pick<Planned, 'parent'>) => `parent-${parent}`;
