/** Names the fields of a request that no configured route supports. */
import type { EngineRoute } from '../../engines/route.ts';
import { fieldProblem, type InspectedRequest } from './choose-route.ts';

/** The problems of the route that is closest to supporting the request. */
export function unsupportedFields(routes: readonly EngineRoute[], request: InspectedRequest): readonly string[] {
  const problems = routes.map(({ takes = {} }) =>
    Object.entries(takes).flatMap(([field, condition]) => fieldProblem(field, condition, request) ?? []),
  );
  return problems.toSorted((one, other) => one.length - other.length)[0] ?? [];
}
