/**
 * Chooses the route of a new task: the first one that supports the request and whose circuit admits the account.
 */
import { countCodePoints } from '../../contracts/code-points.ts';
import type { VideoPlatform } from '../../contracts/media.ts';
import type { EngineRoute, FieldCondition, FileCondition, TextCondition } from '../../engines/route.ts';
import type { Clock } from '../../platform/clock.ts';
import { type FileFacts, fileProblem } from '../media/file-limits.ts';
import { problemText } from '../media/media-problem.ts';
import { admitAccount } from './admit-account.ts';
import { type Circuit, unusedCircuit } from './circuit.ts';
import type { CircuitStore } from './circuit-store.ts';

interface Needs {
  readonly circuits: Pick<CircuitStore, 'read'>;
  readonly clock: Clock;
}

export interface InspectedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** Facts about the request's files, by field. */
  readonly files?: ReadonlyMap<string, FileFacts>;
}

/** Whether a field has a value; clients may send an empty list for none. */
const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const isTextCondition = (condition: FieldCondition): condition is TextCondition =>
  typeof condition === 'object' && 'maxLength' in condition;

export const isFileCondition = (condition: FieldCondition | undefined): condition is FileCondition =>
  typeof condition === 'object' && !Array.isArray(condition) && !isTextCondition(condition);

/** Why a route does not accept a field; undefined if it does. */
function fieldProblem(field: string, condition: FieldCondition, { body, files }: InspectedRequest): string | undefined {
  const value = body[field];
  if (condition === 'given') return isGiven(value) ? undefined : `${field} is required`;
  if (condition === 'absent') return isGiven(value) ? `${field} is not supported` : undefined;
  if (isTextCondition(condition)) {
    const { maxLength } = condition;
    const isTooLong = typeof value === 'string' && countCodePoints(value) > maxLength;
    return isTooLong ? `${field} must be at most ${maxLength} characters long` : undefined;
  }
  if (isFileCondition(condition)) {
    if (condition.given && !isGiven(value)) return `${field} is required`;
    // Files that were not inspected are checked when they are copied for the engine.
    const facts = files?.get(field);
    const problem = facts && fileProblem(facts, condition);
    return problem && problemText(field, problem);
  }
  if (condition.some((accepted) => accepted === value)) return undefined;
  return `${field} must be ${condition.length === 1 ? '' : 'one of '}${condition.join(', ')}`;
}

/** Whether a route accepts links to a video site in a field. */
export const takesLinks = ({ takes }: EngineRoute, field: string, platform: VideoPlatform): boolean => {
  const condition = takes?.[field];
  return isFileCondition(condition) && condition.links?.includes(platform) === true;
};

/** The problems of a request for a route. Only some routes accept links to video sites. */
export function problemsOf({ takes = {} }: EngineRoute, request: InspectedRequest): readonly string[] {
  const linked = [...(request.files ?? [])].flatMap(([field, { platform }]) =>
    platform ? [[field, {}] as const] : [],
  );
  const conditions: Readonly<Record<string, FieldCondition>> = { ...Object.fromEntries(linked), ...takes };
  return Object.entries(conditions).flatMap(([field, condition]) => fieldProblem(field, condition, request) ?? []);
}

export type RouteChoice =
  /**
   * If `claimed` is present, the circuit is half-open: the task must be the only one that probes the route, and must
   * store this state of the circuit.
   */
  | { readonly status: 'chosen'; readonly route: EngineRoute; readonly claimed?: Circuit }
  /** No route supports the request. */
  | { readonly status: 'unsupported' }
  /** Some routes support the request, but the circuits of all of these are open for the account. */
  | { readonly status: 'unavailable'; readonly retryAfterSeconds: number };

export async function chooseRoute(
  { circuits, clock }: Needs,
  routes: readonly EngineRoute[],
  request: InspectedRequest,
  accountId: string,
): Promise<RouteChoice> {
  const candidates = routes.filter((route) => problemsOf(route, request).length === 0);
  if (candidates.length === 0) return { status: 'unsupported' };
  const known = await circuits.read();
  const now = clock.now();
  let earliest = Number.POSITIVE_INFINITY;
  for (const route of candidates) {
    const admission = admitAccount(known.get(route.id) ?? unusedCircuit, accountId, now);
    if (admission.status === 'closed') return { status: 'chosen', route };
    if (admission.status === 'half-open') return { status: 'chosen', route, claimed: admission.claimed };
    earliest = Math.min(earliest, admission.until);
  }
  return { status: 'unavailable', retryAfterSeconds: Math.ceil((earliest - now) / 1000) };
}
