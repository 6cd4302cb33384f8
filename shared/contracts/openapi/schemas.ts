/**
 * Schemas of the OpenAPI document: zod's JSON Schema, split into a component for each type that generated clients need.
 */
import * as z from 'zod';
import { anonymous, namedParts } from './named-parts.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The part of an object's JSON Schema from which parameters are derived. */
export interface ObjectSchema extends Json {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

export interface Schemas {
  /** The schema of a request: properties with a default are optional, and enumerations are closed. */
  request(schema: z.ZodType): Json;
  /** The schema of a response: objects and enumerations are open, because properties and values may be added. */
  response(schema: z.ZodType): Json;
  /** All components so far, by name. */
  components(): Readonly<Record<string, Json>>;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;
type Io = 'input' | 'output';

const extensionMark = 'Extension.';

const complete =
  (io: Io): Override =>
  ({ zodSchema, jsonSchema }) => {
    const { default: byDefault, description } = z.globalRegistry.get(zodSchema) ?? {};
    if (jsonSchema.type === 'integer') jsonSchema.format = (jsonSchema.maximum ?? 0) < 2 ** 31 ? 'int32' : 'int64';
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // `propertyNames` is redundant: names of JSON properties are always strings.
    delete jsonSchema.propertyNames;
    // Publishes a default of the input even where zod knows only the default of the parsed value.
    if (byDefault !== undefined) jsonSchema.default = byDefault;
    if (description?.startsWith(extensionMark)) jsonSchema['x-extension'] = true;
  };

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const inDocument = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  ) as Json;

/** Creates the schemas. Its methods throw if two different schemas have the same name. @throws {Error} */
export function schemas(): Schemas {
  const found = new Map<string, Json>();

  const add = (name: string, component: Json): Json => {
    const known = found.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two different schemas have the name ${name}`);
    }
    found.set(name, component);
    return reference(name);
  };

  const convert = (io: Io) => {
    const { component, part } = namedParts({ isResponse: io === 'output', add, has: (name) => found.has(name) });
    return (schema: z.ZodType): Json => {
      const {
        $schema: _dialect,
        $defs = {},
        ...json
      } = inDocument(z.toJSONSchema(schema, { io, override: complete(io) }));
      for (const [id, defined] of Object.entries($defs as Record<string, Json>)) component(id, defined);
      return part(json, anonymous);
    };
  };

  return {
    request: convert('input'),
    response: convert('output'),
    components: () => Object.fromEntries(found),
  };
}
