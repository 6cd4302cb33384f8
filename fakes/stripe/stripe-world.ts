/** What all parts of the sandbox share: its memory, its clocks, and whom it tells of changes. */
import type { StripeEvent, StripeObject, Subscription } from './stripe-objects.ts';
import { newId, type StripeRecords, type SubscriptionDetails } from './stripe-records.ts';

/** The version of the API that the sandbox speaks. */
export const apiVersion = '2026-10-28.endive';

export interface StripeWorld {
  readonly records: StripeRecords;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly pageUrl: (path: string) => string;
  /** Called with each event. */
  readonly onEvent: (event: StripeEvent) => void;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

export const nowIn = ({ now }: StripeWorld): number => secondsOf(now());

const detailsOf = ({ records }: StripeWorld, subscriptionId: string): SubscriptionDetails | undefined =>
  records.find('sandbox.subscription', `sandbox.${subscriptionId}`);

/** Every subscription has a clock of its own, which is ahead of the sandbox's if it was advanced. */
export const clockOf = (world: StripeWorld, { id }: Subscription): number =>
  secondsOf(world.now() + (detailsOf(world, id)?.aheadMs ?? 0));

export const cardOf = (world: StripeWorld, { id }: Subscription): string => detailsOf(world, id)?.card ?? '';

export function setDetails(
  { records }: StripeWorld,
  subscriptionId: string,
  changes: Partial<Pick<SubscriptionDetails, 'aheadMs' | 'card'>>,
): void {
  const id = `sandbox.${subscriptionId}` as const;
  const before = records.find('sandbox.subscription', id) ?? { aheadMs: 0, card: '' };
  records.put({ ...before, ...changes, object: 'sandbox.subscription', id });
}

/** Never turns it back. */
export function advanceClock(world: StripeWorld, subscription: Subscription, to: number): void {
  const aheadMs = to * 1000 - world.now();
  if (clockOf(world, subscription) < to) setDetails(world, subscription.id, { aheadMs });
}

/** The object as it is now is part of the event. */
export function emit(world: StripeWorld, type: StripeEvent['type'], object: StripeObject): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowIn(world),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  world.records.put(event);
  world.onEvent(event);
}
