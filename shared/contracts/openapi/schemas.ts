/** Schemas of the OpenAPI document: zod's JSON Schema, in which every schema with an id is a shared component. */
import * as z from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** The part of an object's JSON Schema from which parameters are read. */
export interface ObjectSchema extends Json {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

export interface Schemas {
  /** The schema of a request, without components: only there is a property with a default optional. */
  request(schema: z.ZodType): Json;
  /** The schema of a response. Objects stay open, because properties may be added. */
  response(schema: z.ZodType): Json;
  /** All schemas with an id so far, by name. */
  components(): Json;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const extensionMark = 'Extension.';

const complete =
  (io: 'input' | 'output'): Override =>
  ({ zodSchema, jsonSchema }) => {
    const { default: byDefault, description } = z.globalRegistry.get(zodSchema) ?? {};
    if (jsonSchema.type === 'integer') jsonSchema.format = (jsonSchema.maximum ?? 0) < 2 ** 31 ? 'int32' : 'int64';
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // Names of JSON properties are always strings.
    delete jsonSchema.propertyNames;
    // A declared default of the input counts, even where zod knows it only for the parsed value.
    if (byDefault !== undefined) jsonSchema.default = byDefault;
    if (description?.startsWith(extensionMark)) jsonSchema['x-extension'] = true;
  };

const inDocument = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  ) as Json;

const componentName = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

/** @throws {Error} on reading `components`, when two different schemas have the same id. */
export function schemas(): Schemas {
  const found = new Map<string, Json>();

  const add = (name: string, component: Json): void => {
    const known = found.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two different schemas have the id ${name}`);
    }
    found.set(name, component);
  };

  const convert =
    (io: 'input' | 'output') =>
    (schema: z.ZodType): Json => {
      const { $schema: _dialect, $defs, ...json } = inDocument(z.toJSONSchema(schema, { io, override: complete(io) }));
      const defined = ($defs ?? {}) as Record<string, Json>;
      const name = componentName(json);
      if (io === 'input' && name !== undefined) return defined[name] ?? json;
      for (const [id, component] of Object.entries(defined)) add(id, component);
      return json;
    };

  return {
    request: convert('input'),
    response: convert('output'),
    components: () => Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
