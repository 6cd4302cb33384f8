/** Names the fields of a request that no configured route supports. */
import type { EngineRoute, FieldCondition } from '../../engines/route.ts';
import { meets } from './choose-route.ts';

type Body = Readonly<Record<string, unknown>>;

const problemOf = (field: string, condition: FieldCondition): string => {
  if (condition === 'given') return `${field} is required`;
  if (condition === 'absent') return `${field} is not supported`;
  return `${field} must be ${condition.length === 1 ? '' : 'one of '}${condition.join(', ')}`;
};

/** The problems of the route that is closest to supporting the request. */
export function unsupportedFields(routes: readonly EngineRoute[], body: Body): readonly string[] {
  const problems = routes.map(({ takes = {} }) =>
    Object.entries(takes).flatMap(([field, condition]) =>
      meets(body[field], condition) ? [] : [problemOf(field, condition)],
    ),
  );
  return problems.toSorted((one, other) => one.length - other.length)[0] ?? [];
}
