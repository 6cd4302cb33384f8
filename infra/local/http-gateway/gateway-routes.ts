/** Finds a request's route as API Gateway does: by exact segments, static ones before parameters, greedy ones last. */

export interface GatewayRoute {
  readonly method: string;
  /** The path, with parameters in braces: `/api/v1/tasks/{taskId}`, or `{path+}` for all remaining segments. */
  readonly path: string;
  readonly functionName: string;
}

export interface RouteMatch {
  readonly route: GatewayRoute;
  /** The percent-decoded path parameters; undefined if the route has none. */
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

interface Resource {
  readonly segments: readonly string[];
  readonly routes: Map<string, GatewayRoute>;
}

/** Finds the route for a path as sent: still encoded, without the query. */
export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

export function routeFinder(routes: readonly GatewayRoute[]): FindRoute {
  const resources = new Map<string, Resource>();
  for (const route of routes) {
    const resource = resources.get(route.path) ?? { segments: route.path.split('/'), routes: new Map() };
    resource.routes.set(route.method, route);
    resources.set(route.path, resource);
  }
  const mostStaticFirst = [...resources.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));

  return (method, path) => {
    const segments = path.split('/');
    // Only the path selects the resource: if that one lacks the method, less specific ones are not tried.
    const resource = mostStaticFirst.find((candidate) => fits(candidate.segments, segments));
    const route = resource?.routes.get(method);
    if (!resource || !route) return undefined;
    const values = parameterValues(resource.segments, segments);
    return values && { route, pathParameters: Object.keys(values).length > 0 ? values : undefined };
  };
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isGreedy = (segment: string): boolean => segment.endsWith('+}');

const kindOf = (segment: string): string => (isGreedy(segment) ? '2' : isParameter(segment) ? '1' : '0');
const rank = ({ segments }: Resource): string => segments.map(kindOf).join('');

/** The segments of a path, of which a greedy parameter takes all that remain. */
const dividedBy = (template: readonly string[], segments: readonly string[]): readonly string[] =>
  isGreedy(template.at(-1) ?? '')
    ? [...segments.slice(0, template.length - 1), segments.slice(template.length - 1).join('/')]
    : segments;

function fits(template: readonly string[], all: readonly string[]): boolean {
  const segments = dividedBy(template, all);
  return (
    template.length === segments.length &&
    template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}

/** The decoded parameters; undefined if the percent-encoding is malformed. */
function parameterValues(
  template: readonly string[],
  all: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const segments = dividedBy(template, all);
  try {
    const named = template.flatMap((part, index) =>
      isParameter(part) ? [[part.slice(1, isGreedy(part) ? -2 : -1), decodeURIComponent(segments[index] ?? '')]] : [],
    );
    return Object.fromEntries(named);
  } catch {
    return undefined;
  }
}
