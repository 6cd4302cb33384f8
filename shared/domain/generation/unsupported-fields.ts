/** Names the fields of a request that no configured route supports. */
import type { EngineRoute } from '../../engines/route.ts';
import { type InspectedRequest, problemsOf } from './choose-route.ts';

/** The problems of the request with the route that comes closest to supporting it. */
export function unsupportedFields(routes: readonly EngineRoute[], request: InspectedRequest): readonly string[] {
  const problems = routes.map((route) => problemsOf(route, request));
  return problems.toSorted((one, other) => one.length - other.length)[0] ?? [];
}
