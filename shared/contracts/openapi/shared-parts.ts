/** Moves parameters and responses that several operations repeat to components. */
import { pascalCase } from './named-parts.ts';
import type { Json } from './schemas.ts';

type Kind = 'parameters' | 'responses';
type Operations = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Names an error response by its codes; success responses differ by operation and are not shared. */
function nameOf(kind: Kind, part: Json): string | undefined {
  if (kind === 'parameters') return pascalCase(String(part.name));
  const { content } = part as { content: { 'application/json': { examples?: Json } } };
  const codes = Object.keys(content['application/json'].examples ?? {});
  return codes.length > 0 ? codes.map((code) => pascalCase(code.toLowerCase())).join('Or') : undefined;
}

const partsOf = (kind: Kind, operation: Json): readonly Json[] =>
  Object.values(operation[kind] as Record<string, Json>);

/** For each name, the definition that is used most, if it is used more than once. */
function repeated(kind: Kind, operations: readonly Json[]): ReadonlyMap<string, string> {
  const uses = Map.groupBy(
    operations.flatMap((operation) => partsOf(kind, operation)).filter((part) => nameOf(kind, part)),
    (part) => JSON.stringify(part),
  );
  const byUses = [...uses].toSorted(([, some], [, others]) => others.length - some.length);
  const found = new Map<string, string>();
  for (const [text, [part, second]] of byUses) {
    const name = part && second && nameOf(kind, part);
    if (name && !found.has(name)) found.set(name, text);
  }
  return found;
}

/** Replaces repeated parts of the operations by references, and returns the components that these refer to. */
export function sharedParts(paths: Operations) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const shared = { parameters: repeated('parameters', operations), responses: repeated('responses', operations) };

  const inPlace = (kind: Kind, part: Json): Json => {
    const name = nameOf(kind, part);
    const isShared = name !== undefined && shared[kind].get(name) === JSON.stringify(part);
    return isShared ? { $ref: `#/components/${kind}/${name}` } : part;
  };
  const operationOf = (operation: Json): Json => ({
    ...operation,
    parameters: partsOf('parameters', operation).map((part) => inPlace('parameters', part)),
    responses: Object.fromEntries(
      Object.entries(operation.responses as Record<string, Json>).map(([status, part]) => [
        status,
        inPlace('responses', part),
      ]),
    ),
  });
  const components = (kind: Kind): Json =>
    Object.fromEntries(
      [...shared[kind]]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, text]) => [name, JSON.parse(text)]),
    );

  return {
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, operationOf(operation)])),
      ]),
    ),
    parameters: components('parameters'),
    responses: components('responses'),
  };
}
