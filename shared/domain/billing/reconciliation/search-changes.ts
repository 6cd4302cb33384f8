/** Searches a gateway for changes, in slices of time, so that every run shortens a backlog. */
import { isDeepStrictEqual } from 'node:util';
import type { ChangedSince, Unreadable } from '../../../gateways/changed-since.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Stores } from '../../stores.ts';
import type { Failure, Handle } from './reconciliation.ts';
import {
  longestSliceMs,
  type Postponement,
  readSearchState,
  saveSearchState,
  updatePostponed,
} from './search-state.ts';

/** How late a change may appear in a search, including differences between clocks. */
const overlapMs = 15 * 60_000;

/** How far the first search goes back: longer than the first run of a new service can be delayed. */
const firstLookBackMs = 24 * 3_600_000;

/** The resolution of timestamps at the gateways. */
const shortestSliceMs = 1000;

/**
 * The delay before the first retry of a failed item. Later retries wait as long as it has been failing, up to several
 * hours.
 */
const retryMs = 5 * 60_000;
const longestRetryMs = 6 * 3_600_000;

interface Needs extends Pick<Stores, 'orders' | 'table'> {
  readonly clock: Clock;
}

/** A gateway to search, and how each change is processed. */
export interface Search<Found extends object> {
  /** The gateway's name is the key of the search's stored progress. */
  readonly gateway: {
    readonly name: string;
    readonly changedSince: ChangedSince<Found>;
    read(subject: string): Promise<Found | undefined>;
  };
  /** The word for a subject in log messages. */
  readonly kind: string;
  readonly subjectOf: (found: Found) => string;
  /** Processes a change; returns when to check it again if it cannot be processed yet. */
  readonly work: (found: Found) => Promise<number | undefined>;
}

/** How one step of a reconciliation processes changes, and when it must stop. */
interface Part {
  readonly handle: Handle;
  readonly endsAt: number;
}

const idOf = ({ kind }: { readonly kind: string }, subject: string) => `${kind} ${subject}`;

const isUnreadable = (found: object): found is Unreadable => 'error' in found;

/** Processes one change; returns when to check it again, or undefined if it is done. */
async function handleOne(
  handle: Handle,
  id: string,
  retryAt: number,
  work: () => Promise<number | undefined>,
): Promise<Postponement | undefined> {
  let again: Postponement | undefined = { checkAt: retryAt, isFailing: true };
  await handle(id, async () => {
    const checkAt = await work();
    again = checkAt === undefined ? undefined : { checkAt, isFailing: false };
  });
  return again;
}

/**
 * The time up to which all changes have been processed or postponed. The first search stores its start, so that later
 * ones begin at the same time.
 */
async function searchedUntil({ clock, orders }: Needs, gateway: string): Promise<number> {
  const mark = await orders.searchMark(gateway);
  if (mark !== undefined) return mark;
  const first = clock.now() - firstLookBackMs;
  await orders.saveSearchMark(gateway, first);
  return first;
}

/** Searches one slice; returns the changes to check again, or undefined if time ran out. */
async function handleSlice<Found extends object>(
  { clock }: Needs,
  search: Search<Found>,
  { handle, endsAt }: Part,
  from: number,
  until: number | undefined,
): Promise<ReadonlyMap<string, Postponement | undefined> | undefined> {
  const { gateway, subjectOf, work } = search;
  const handled = new Map<string, Postponement | undefined>();
  let isStopped = false;
  const isOver = () => {
    isStopped ||= clock.now() >= endsAt;
    return isStopped;
  };
  for await (const found of gateway.changedSince(from, until, isOver)) {
    // What has been read is always processed, so that the shortest slice is completed in every run.
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

/** Checks postponed subjects again; the longer one has been failing, the less often. */
export async function handlePostponed<Found extends object>(
  needs: Needs,
  search: Search<Found>,
  { handle, endsAt }: Part,
): Promise<void> {
  const { clock } = needs;
  const { gateway, work } = search;
  const state = await readSearchState(needs, gateway.name);
  const handled = new Map<string, Postponement | undefined>();
  for (const { subject, since, checkAt } of state.postponed) {
    const now = clock.now();
    if (now >= endsAt) break;
    if (checkAt > now) continue;
    const again = await handleOne(handle, idOf(search, subject), now + longerThan(now - since), async () => {
      const found = await gateway.read(subject);
      return found && work(found);
    });
    handled.set(subject, again);
  }
  if (handled.size > 0) await saveSearchState(needs, gateway.name, updatePostponed(state, handled, clock.now()));
}

/** How many subjects are postponed because they failed in earlier runs. */
export async function countPostponed(
  needs: Needs,
  search: { readonly kind: string; readonly gateway: { readonly name: string } },
  failures: readonly Failure[],
): Promise<number> {
  const failed = new Set(failures.map(({ id }) => id));
  const { postponed } = await readSearchState(needs, search.gateway.name);
  return postponed.filter(({ subject, isFailing }) => isFailing && !failed.has(idOf(search, subject))).length;
}

/** Runs a search. @throws {Error} if time ran out; the next run continues from there */
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
      // Not even the shortest slice was completed, so the next run would not get further either.
      if (slices === 0) {
        const sliceMs = Math.max(shortestSliceMs, Math.floor(Math.min(state.sliceMs, startedAt - from) / 4));
        await saveSearchState(needs, name, { ...state, sliceMs });
      }
      throw new Error(`not all changes after ${from} could be handled in time`);
    }
    const next = {
      ...updatePostponed(state, handled, startedAt),
      sliceMs: Math.min(longestSliceMs, state.sliceMs * 2),
    };
    if (!isDeepStrictEqual(next, state)) state = await saveSearchState(needs, name, next);
    await orders.saveSearchMark(name, Math.min(end + overlapMs, startedAt));
    from = end;
  }
}
