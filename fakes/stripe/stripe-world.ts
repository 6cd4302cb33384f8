/** The shared state of the sandbox: its records, its clocks, and its listener for events. */
import type { StripeEvent, StripeObject, Subscription } from './stripe-objects.ts';
import { newId, type StripeRecords, type SubscriptionDetails } from './stripe-records.ts';

/** The version of the API that the sandbox implements. */
export const apiVersion = '2026-10-28.endive';

export interface StripeWorld {
  readonly records: StripeRecords;
  /** The current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly pageUrl: (path: string) => string;
  /** Called with each event. */
  readonly onEvent: (event: StripeEvent) => void;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

export const nowIn = ({ now }: StripeWorld): number => secondsOf(now());

export const detailsOf = ({ records }: StripeWorld, subscriptionId: string): SubscriptionDetails | undefined =>
  records.find('sandbox.subscription', `sandbox.${subscriptionId}`);

/** The clock of a subscription, which is ahead of the sandbox's if it was advanced. */
export const clockOf = (world: StripeWorld, { id }: Subscription): number =>
  secondsOf(world.now() + (detailsOf(world, id)?.aheadMs ?? 0));

export function setDetails(
  { records }: StripeWorld,
  subscriptionId: string,
  changes: Partial<Omit<SubscriptionDetails, 'object' | 'id'>>,
): void {
  const id = `sandbox.${subscriptionId}` as const;
  const before = records.find('sandbox.subscription', id) ?? { aheadMs: 0, card: '', planName: '' };
  records.put({ ...before, ...changes, object: 'sandbox.subscription', id });
}

/** Advances the clock; never sets it back. */
export function advanceClock(world: StripeWorld, subscription: Subscription, to: number): void {
  const aheadMs = to * 1000 - world.now();
  if (clockOf(world, subscription) < to) setDetails(world, subscription.id, { aheadMs });
}

/** Emits an event, which contains the object's current state. */
export function emit(world: StripeWorld, type: StripeEvent['type'], object: StripeObject): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowIn(world),
    data: { object: structuredClone(object) },
    livemode: false,
    type,
  };
  world.records.put(event);
  world.onEvent(event);
}
