/** Searches a gateway for what has changed, in slices of time, so that each run takes a backlog further. */
import { isDeepStrictEqual } from 'node:util';
import type { ChangedSince, Unreadable } from '../../gateways/changed-since.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Stores } from '../stores.ts';
import type { Failure, Handle } from './reconciliation.ts';
import { type Again, longestSliceMs, readSearchState, saveSearchState, setAside } from './search-state.ts';

/** How late a change may appear in a search, clocks that differ included. */
const overlapMs = 15 * 60_000;

/** Before the first reconciliation of a service: longer than its first one can be late. */
const firstLookBackMs = 24 * 3_600_000;

/** The unit of gateways' times. */
const shortestSliceMs = 1000;

/** Until what has failed is tried again; then for as long as it has been failing, but several times a day. */
const retryMs = 5 * 60_000;
const longestRetryMs = 6 * 3_600_000;

interface Needs extends Pick<Stores, 'orders' | 'table'> {
  readonly clock: Clock;
}

/** Whose changes are searched for, and what is done about each of them. */
export interface Search<Found extends object> {
  /** How far the search has come is stored by the gateway's name. */
  readonly gateway: {
    readonly name: string;
    readonly changedSince: ChangedSince<Found>;
    read(subject: string): Promise<Found | undefined>;
  };
  /** What a subject is called in logs. */
  readonly kind: string;
  readonly subjectOf: (found: Found) => string;
  /** When to look again, if nothing can be done yet. */
  readonly work: (found: Found) => Promise<number | undefined>;
}

/** How a part of a run goes through what it finds. */
interface Part {
  readonly handle: Handle;
  readonly endsAt: number;
}

const idOf = ({ kind }: { readonly kind: string }, subject: string) => `${kind} ${subject}`;

const isUnreadable = (found: object): found is Unreadable => 'error' in found;

/** When to look again; undefined if nothing is left to be done. */
async function handleOne(
  handle: Handle,
  id: string,
  retryAt: number,
  work: () => Promise<number | undefined>,
): Promise<Again | undefined> {
  let again: Again | undefined = { checkAt: retryAt, isFailing: true };
  await handle(id, async () => {
    const checkAt = await work();
    again = checkAt === undefined ? undefined : { checkAt, isFailing: false };
  });
  return again;
}

/** Up to where all changes have been handled or set aside. The first search's start is stored, so that it stays where it is. */
async function searchedUntil({ clock, orders }: Needs, gateway: string): Promise<number> {
  const mark = await orders.searchMark(gateway);
  if (mark !== undefined) return mark;
  const first = clock.now() - firstLookBackMs;
  await orders.saveSearchMark(gateway, first);
  return first;
}

/** What has changed, and what of it must be looked at again; undefined if the time was not enough. */
async function handleSlice<Found extends object>(
  { clock }: Needs,
  search: Search<Found>,
  { handle, endsAt }: Part,
  from: number,
  until: number | undefined,
): Promise<ReadonlyMap<string, Again | undefined> | undefined> {
  const { gateway, subjectOf, work } = search;
  const handled = new Map<string, Again | undefined>();
  let isStopped = false;
  const isOver = () => {
    isStopped ||= clock.now() >= endsAt;
    return isStopped;
  };
  for await (const found of gateway.changedSince(from, until, isOver)) {
    // What has been read is handled, so that the shortest slice is always completed.
    if (handled.size > 0 && isOver()) return undefined;
    const subject = isUnreadable(found) ? found.subject : subjectOf(found);
    const again = await handleOne(handle, idOf(search, subject), clock.now() + retryMs, async () => {
      if (isUnreadable(found)) throw found.error;
      return work(found);
    });
    handled.set(subject, again);
  }
  return isStopped ? undefined : handled;
}

const longerThan = (failingMs: number): number => Math.min(longestRetryMs, Math.max(retryMs, failingMs));

/** Reads again what was set aside. What fails for longer is tried less often. */
export async function handlePostponed<Found extends object>(
  needs: Needs,
  search: Search<Found>,
  { handle, endsAt }: Part,
): Promise<void> {
  const { clock } = needs;
  const { gateway, work } = search;
  const state = await readSearchState(needs, gateway.name);
  const handled = new Map<string, Again | undefined>();
  for (const { subject, since, checkAt } of state.aside) {
    const now = clock.now();
    if (now >= endsAt) break;
    if (checkAt > now) continue;
    const again = await handleOne(handle, idOf(search, subject), now + longerThan(now - since), async () => {
      const found = await gateway.read(subject);
      return found && work(found);
    });
    handled.set(subject, again);
  }
  if (handled.size > 0) await saveSearchState(needs, gateway.name, setAside(state, handled, clock.now()));
}

/** How many subjects are set aside because of a failure, besides those that have failed in this run. */
export async function countPostponed(
  needs: Needs,
  search: { readonly kind: string; readonly gateway: { readonly name: string } },
  failures: readonly Failure[],
): Promise<number> {
  const failed = new Set(failures.map(({ id }) => id));
  const { aside } = await readSearchState(needs, search.gateway.name);
  return aside.filter(({ subject, isFailing }) => isFailing && !failed.has(idOf(search, subject))).length;
}

/** @throws {Error} if the time was not enough: the next run goes on where this one has ended */
export async function searchChanges<Found extends object>(
  needs: Needs,
  search: Search<Found>,
  part: Part,
): Promise<void> {
  const { clock, orders } = needs;
  const { name } = search.gateway;
  const startedAt = clock.now();
  let state = await readSearchState(needs, name);
  let from = (await searchedUntil(needs, name)) - overlapMs;
  for (let slices = 0; from < startedAt; slices += 1) {
    const end = from + state.sliceMs;
    const isLate = slices > 0 && clock.now() >= part.endsAt;
    const handled = isLate
      ? undefined
      : await handleSlice(needs, search, part, from, end < startedAt ? end : undefined);
    if (!handled) {
      // The next run would not complete it either.
      if (slices === 0) {
        const sliceMs = Math.max(shortestSliceMs, Math.floor(Math.min(state.sliceMs, startedAt - from) / 4));
        await saveSearchState(needs, name, { ...state, sliceMs });
      }
      throw new Error(`not all changes after ${from} could be handled in time`);
    }
    const next = { ...setAside(state, handled, startedAt), sliceMs: Math.min(longestSliceMs, state.sliceMs * 2) };
    if (!isDeepStrictEqual(next, state)) state = await saveSearchState(needs, name, next);
    await orders.saveSearchMark(name, Math.min(end + overlapMs, startedAt));
    from = end;
  }
}
