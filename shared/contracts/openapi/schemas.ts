/** Schemas of the OpenAPI document: zod's own JSON Schema, in which everything with an id is a shared component. */
import * as z from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of an object, as far as parameters are read from it. */
export interface ObjectSchema extends Json {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

export interface Schemas {
  /** What may be sent: unknown properties are open. */
  request(schema: z.ZodType): Json;
  /** What is answered: every object is closed. */
  response(schema: z.ZodType): Json;
  /** Everything with an id that was met so far, by name. */
  components(): Json;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const extensionMark = 'Extension.';

const complete =
  (io: 'input' | 'output'): Override =>
  ({ zodSchema, jsonSchema }) => {
    const { default: byDefault, description } = z.globalRegistry.get(zodSchema) ?? {};
    // Every integer is a safe one; of what is answered, saying so tells a reader nothing.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (io === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // Names of JSON properties are strings by themselves.
    delete jsonSchema.propertyNames;
    // A default that is declared for what is sent counts, also where zod knows it of the parsed value alone.
    if (byDefault !== undefined) jsonSchema.default = byDefault;
    if (description?.startsWith(extensionMark)) jsonSchema['x-extension'] = true;
  };

const inDocument = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  ) as Json;

/** @throws {Error} on reading `components`, when two different schemas have the same id. */
export function schemas(): Schemas {
  const found = new Map<string, Json>();

  const add = (name: string, component: Json): void => {
    const known = found.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`the schema id ${name} stands for two different schemas`);
    }
    found.set(name, component);
  };

  const convert =
    (io: 'input' | 'output') =>
    (schema: z.ZodType): Json => {
      const { $schema: _dialect, $defs, ...json } = inDocument(z.toJSONSchema(schema, { io, override: complete(io) }));
      for (const [name, component] of Object.entries(($defs ?? {}) as Record<string, Json>)) add(name, component);
      return json;
    };

  return {
    request: convert('input'),
    response: convert('output'),
    components: () => Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
