/** Which way a new task goes to be made: the first of its routes that can do it and whose circuit lets it through. */
import type { EngineRoute, FieldCondition } from '../../catalog/engine-choice.ts';
import type { TaskType } from '../../contracts/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { circuitOf, stateOf } from './circuit.ts';
import type { CircuitStore } from './circuit-store.ts';

interface Needs {
  readonly circuits: CircuitStore;
  readonly clock: Clock;
}

type Body = Readonly<Record<string, unknown>>;

/** An empty list names nothing: it is what a client sends that has nothing to name. */
const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const meets = (value: unknown, condition: FieldCondition): boolean => {
  if (condition === 'given') return isGiven(value);
  if (condition === 'absent') return !isGiven(value);
  return condition.some((accepted) => accepted === value);
};

const canDo = ({ takes = {} }: EngineRoute, body: Body): boolean =>
  Object.entries(takes).every(([field, condition]) => meets(body[field], condition));

/** A way for a task, which may be the one by whose end it is seen whether the engine works again. */
export interface ChosenRoute {
  readonly route: EngineRoute;
  readonly isProbe: boolean;
}

/**
 * `unable` when no route can do the request at all, `unavailable` when those that can are to be left alone now. Without
 * `mayProbe` routes that are to be tried again are left alone, too: one task at a time takes them.
 */
export async function chooseRoute(
  { circuits, clock }: Needs,
  routes: readonly EngineRoute[],
  body: Body,
  { taskType, mayProbe }: { readonly taskType: TaskType; readonly mayProbe: boolean },
): Promise<ChosenRoute | 'unable' | 'unavailable'> {
  const able = routes.filter((candidate) => canDo(candidate, body));
  if (able.length === 0) return 'unable';
  const known = await circuits.read();
  for (const route of able) {
    const state = stateOf(known.get(circuitOf(route, taskType)), clock.now());
    if (state === 'closed' || (state === 'probing' && mayProbe)) return { route, isProbe: state === 'probing' };
  }
  return 'unavailable';
}
