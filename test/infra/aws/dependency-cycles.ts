/** Finds resources of a CloudFormation template that wait for each other in a circle. */

type Resources = Readonly<Record<string, object>>;

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, argument] of Object.entries(value)) {
    if (key === 'Ref') yield String(argument);
    else if (key === 'Fn::GetAtt') yield String(Array.isArray(argument) ? argument[0] : argument).split('.')[0] ?? '';
    else if (key === 'Fn::Sub') yield* substitutionsIn(argument);
    else if (key === 'DependsOn') yield* [argument].flat().map(String);
    else yield* referencesIn(argument);
  }
}

function* substitutionsIn(argument: unknown): Generator<string> {
  const [text, variables] = [argument].flat();
  for (const [, name = ''] of String(text).matchAll(/\$\{([^!.}]+)[^}]*\}/g)) yield name;
  yield* referencesIn(variables);
}

/** The first cycle found, as the logical ids along it; undefined when there is none. */
export function dependencyCycle(resources: Resources): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    const resource = resources[id];
    if (!resource || done.has(id)) return undefined;
    for (const next of referencesIn(resource)) {
      const cycle = visit(next, [...path, id]);
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(resources)) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}
