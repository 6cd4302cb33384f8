/** Chooses the route of a new task: the first one that supports the request and whose circuit lets the account through. */
import type { EngineRoute, FieldCondition } from '../../engines/route.ts';
import type { Clock } from '../../platform/clock.ts';
import { openUntil, unusedCircuit } from './circuit.ts';
import type { CircuitStore } from './circuit-store.ts';

interface Needs {
  readonly circuits: Pick<CircuitStore, 'read'>;
  readonly clock: Clock;
}

type Body = Readonly<Record<string, unknown>>;

/** Clients without a value may send an empty list. */
const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Whether a field's value is one that a route accepts. */
export const meets = (value: unknown, condition: FieldCondition): boolean => {
  if (condition === 'given') return isGiven(value);
  if (condition === 'absent') return !isGiven(value);
  return condition.some((accepted) => accepted === value);
};

const supports = ({ takes = {} }: EngineRoute, body: Body): boolean =>
  Object.entries(takes).every(([field, condition]) => meets(body[field], condition));

export type RouteChoice =
  | { readonly status: 'chosen'; readonly route: EngineRoute }
  /** No route supports the request at all. */
  | { readonly status: 'unsupported' }
  /** The circuits of all routes that support the request are open for the account. */
  | { readonly status: 'unavailable'; readonly retryAfterSeconds: number };

export async function chooseRoute(
  { circuits, clock }: Needs,
  routes: readonly EngineRoute[],
  body: Body,
  accountId: string,
): Promise<RouteChoice> {
  const candidates = routes.filter((route) => supports(route, body));
  if (candidates.length === 0) return { status: 'unsupported' };
  const known = await circuits.read();
  const now = clock.now();
  let earliest = Number.POSITIVE_INFINITY;
  for (const route of candidates) {
    const until = openUntil(known.get(route.id) ?? unusedCircuit, accountId, now);
    if (until === undefined) return { status: 'chosen', route };
    earliest = Math.min(earliest, until);
  }
  return { status: 'unavailable', retryAfterSeconds: Math.ceil((earliest - now) / 1000) };
}
