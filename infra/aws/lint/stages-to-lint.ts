/** Selects the stages to lint: a stage whose templates add nothing new would only repeat findings. */

export interface StageTemplates {
  readonly stage: string;
  readonly templates: readonly { readonly Resources: Readonly<Record<string, { readonly Type: string }>> }[];
}

/** The paths of all properties in a value, except values that are known only at deployment. */
function pathsIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  return Object.entries(value).flatMap(([name, item]) =>
    /^(Ref|Fn::)/.test(name) ? [path] : pathsIn(item, `${path}.${name}`),
  );
}

/** The properties of each resource type in a stage. */
const shapesOf = ({ templates }: StageTemplates): ReadonlySet<string> =>
  new Set(
    templates
      .flatMap(({ Resources }) => Object.values(Resources))
      .flatMap(({ Type, ...rest }) => pathsIn({ ...rest, Metadata: undefined }, Type)),
  );

/** The stages with the most resource types first, then those that add a resource type or property. */
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
