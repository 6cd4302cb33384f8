/** Searches a gateway for what has changed, in slices of time, so that each run takes a backlog further. */
import type { SubscriptionReport } from '../../gateways/subscription-gateway.ts';
import type { SubscriptionNeeds } from './apply-report.ts';
import { longestSliceMs, readSearchState, type SearchState, saveSearchState, setAside } from './search-state.ts';

/** How late a change may appear in a search, clocks that differ included. */
const overlapMs = 15 * 60_000;

/** Before the first reconciliation of a service: longer than its first one can be late. */
const firstLookBackMs = 24 * 3_600_000;

/** The unit of gateways' times. */
const shortestSliceMs = 1000;

/** Until what has failed is tried again; then for as long as it has been failing. */
const retryMs = 5 * 60_000;

export type Attend = (id: string, work: () => Promise<unknown>) => Promise<void>;

export interface Search {
  readonly attend: Attend;
  /** When to look again, if nothing can be done yet. */
  readonly work: (report: SubscriptionReport) => Promise<number | undefined>;
  readonly endsAt: number;
}

/** Up to where all changes have been attended to or set aside. The first search's start is stored, so that it stays where it is. */
async function searchedUntil({ clock, orders, subscriptionGateway }: SubscriptionNeeds): Promise<number> {
  const mark = await orders.searchMark(subscriptionGateway.name);
  if (mark !== undefined) return mark;
  const first = clock.now() - firstLookBackMs;
  await orders.saveSearchMark(subscriptionGateway.name, first);
  return first;
}

/** What must be looked at again, and when; undefined if the time was not enough. */
async function attendSlice(
  { clock, subscriptionGateway: gateway }: SubscriptionNeeds,
  { attend, work, endsAt }: Search,
  from: number,
  until: number | undefined,
): Promise<ReadonlyMap<string, number> | undefined> {
  const again = new Map<string, number>();
  let isStopped = false;
  let attended = 0;
  const isOver = () => {
    isStopped ||= clock.now() >= endsAt;
    return isStopped;
  };
  for await (const found of gateway.changedSince(from, until, isOver)) {
    // What has been read is attended to, so that the shortest slice is always completed.
    if (attended > 0 && isOver()) return undefined;
    attended += 1;
    let checkAt: number | undefined = clock.now() + retryMs;
    await attend(`checkout ${found.subject}`, async () => {
      if ('error' in found) throw found.error;
      checkAt = await work(found);
    });
    if (checkAt !== undefined) again.set(found.subject, checkAt);
  }
  return isStopped ? undefined : again;
}

/** Reads again what was set aside. What fails for longer is tried less often. */
export async function attendAside(needs: SubscriptionNeeds, { attend, work, endsAt }: Search): Promise<void> {
  const { clock, subscriptionGateway: gateway } = needs;
  const state = await readSearchState(needs, gateway.name);
  const left: SearchState['aside'] = [];
  for (const one of state.aside) {
    const now = clock.now();
    let checkAt: number | undefined = one.checkAt;
    if (one.checkAt <= now && now < endsAt) {
      checkAt = now + Math.max(retryMs, now - one.since);
      await attend(`checkout ${one.subject}`, async () => {
        const report = await gateway.read(one.subject);
        checkAt = report && (await work(report));
      });
    }
    if (checkAt !== undefined) left.push({ ...one, checkAt });
  }
  if (left.some(({ checkAt }, index) => checkAt !== state.aside[index]?.checkAt) || left.length < state.aside.length)
    await saveSearchState(needs, gateway.name, { ...state, aside: left });
}

/** @throws {Error} if the time was not enough: the next run goes on where this one has ended */
export async function searchChanges(needs: SubscriptionNeeds, search: Search): Promise<void> {
  const { clock, orders, subscriptionGateway: gateway } = needs;
  const startedAt = clock.now();
  let state = await readSearchState(needs, gateway.name);
  let from = (await searchedUntil(needs)) - overlapMs;
  for (let slices = 0; from < startedAt; slices += 1) {
    const end = from + state.sliceMs;
    const again =
      slices > 0 && clock.now() >= search.endsAt
        ? undefined
        : await attendSlice(needs, search, from, end < startedAt ? end : undefined);
    if (!again) {
      // The next run would not complete it either.
      if (slices === 0) {
        const sliceMs = Math.max(shortestSliceMs, Math.floor(Math.min(state.sliceMs, startedAt - from) / 4));
        await saveSearchState(needs, gateway.name, { ...state, sliceMs });
      }
      throw new Error(`not all changes after ${from} could be attended to in time`);
    }
    const next = { ...setAside(state, again, startedAt), sliceMs: Math.min(longestSliceMs, state.sliceMs * 2) };
    if (again.size > 0 || next.sliceMs !== state.sliceMs) state = await saveSearchState(needs, gateway.name, next);
    await orders.saveSearchMark(gateway.name, Math.min(end + overlapMs, startedAt));
    from = end;
  }
}
