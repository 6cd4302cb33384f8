/** Which stages must be linted: a template of one that has nothing of its own would get the same findings again. */

export interface StageTemplates {
  readonly stage: string;
  readonly templates: readonly { readonly Resources: Readonly<Record<string, { readonly Type: string }>> }[];
}

/** The paths of all properties in a value, without what only a deployment knows. */
function pathsIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  return Object.entries(value).flatMap(([name, item]) =>
    /^(Ref|Fn::)/.test(name) ? [path] : pathsIn(item, `${path}.${name}`),
  );
}

/** Each property of each type of resource that a stage has. */
const shapesOf = ({ templates }: StageTemplates): ReadonlySet<string> =>
  new Set(
    templates
      .flatMap(({ Resources }) => Object.values(Resources))
      .flatMap(({ Type, ...rest }) => pathsIn({ ...rest, Metadata: undefined }, Type)),
  );

/** The stages with the most first; of the others those with a resource or a property that no stage before them has. */
export function stagesToLint(stages: readonly StageTemplates[]): readonly string[] {
  const withShapes = stages.map((one) => ({ stage: one.stage, shapes: shapesOf(one) }));
  const linted = new Set<string>();
  return withShapes
    .toSorted((one, other) => other.shapes.size - one.shapes.size)
    .filter(({ shapes }) => {
      const isNew = !shapes.isSubsetOf(linted);
      for (const shape of shapes) linted.add(shape);
      return isNew;
    })
    .map(({ stage }) => stage);
}
