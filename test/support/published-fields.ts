/** The fields of a schema of the published document, for comparison with the specification. */
import { type OpenapiDocument, resolved, type Schema } from './openapi-document.ts';

interface SchemaNode {
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
}

/** Every field by path, with its type; `?` marks optional fields, `[]` the entries of a list. */
export function publishedFields(schema: Schema, { components }: OpenapiDocument): Record<string, string> {
  const nodeOf = (one: Schema): SchemaNode =>
    '$ref' in one ? nodeOf(resolved(one as { $ref: string }, components.schemas)) : one;

  const typeOf = (one: Schema): string => {
    const { anyOf, type } = nodeOf(one);
    return (anyOf ? anyOf.map(typeOf) : [type].flat()).join('|');
  };

  function* within(one: Schema, path: string): Generator<[field: string, type: string]> {
    const { anyOf = [], items, properties = {}, required = [] } = nodeOf(one);
    for (const member of anyOf) yield* within(member, path);
    if (items) {
      if (typeOf(items) !== 'object') yield [`${path}[]`, typeOf(items)];
      yield* within(items, `${path}[]`);
    }
    for (const [name, property] of Object.entries(properties)) {
      const field = path ? `${path}.${name}` : name;
      yield [required.includes(name) ? field : `${field}?`, typeOf(property)];
      yield* within(property, field);
    }
  }

  return Object.fromEntries(within(schema, ''));
}
