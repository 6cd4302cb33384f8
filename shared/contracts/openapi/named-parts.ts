/** Names the parts of schemas: nested objects and open enumerations become components, so that generated types have names. */
import type { Json } from './schemas.ts';

interface Naming {
  readonly isResponse: boolean;
  /** Adds a component and returns a reference to it. */
  readonly add: (name: string, component: Json) => Json;
  readonly has: (name: string) => boolean;
}

interface Schema extends Json {
  readonly $ref?: string;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly type?: string;
}

/** Marks a schema that must not be named, such as the parameters of an operation. */
export const anonymous = '';

/** The longest value that an enumeration in a response may ever have. */
export const longestValue = 100;

const isEnumeration = ({ enum: values, type }: Schema): boolean => type === 'string' && values !== undefined;

/** The name of the component that lists the currently known values of an enumeration. */
const knownName = (name: string): string => `Known${name}`;

/**
 * An enumeration that may grow, in the form that generators handle best: TypeScript gets a union with `string`, Python
 * the class of known values or `str`, and Go a plain string with constants.
 */
const openEnumeration = (name: string, known: Json): Json => ({
  type: 'string',
  maxLength: longestValue,
  description: `One of \`${knownName(name)}\`, or a value that was added later.`,
  anyOf: [known, { type: 'string', maxLength: longestValue }],
});

/** Converts `task-type` and `taskType` to `TaskType`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

/** The keywords of a property that stay beside the reference replacing it. */
const besideReference = ({ description, 'x-extension': extension }: Schema): Json => ({
  ...(description !== undefined && { description }),
  ...(extension !== undefined && { 'x-extension': extension }),
});

export function namedParts({ isResponse, add, has }: Naming) {
  const addEnumeration = (name: string, { description: _description, ...closed }: Schema): Json => {
    if (isResponse) return add(name, openEnumeration(name, add(knownName(name), closed)));
    return add(has(knownName(name)) ? knownName(name) : name, closed);
  };

  /**
   * Whether a part becomes a component. In requests, properties with a default do too: otherwise openapi-typescript
   * makes them required.
   */
  const isNamed = ({ default: byDefault, enum: values, properties }: Schema): boolean =>
    properties !== undefined || (!isResponse && (byDefault !== undefined || values !== undefined));

  const withParts = (schema: Schema, name: string): Schema => {
    const { additionalProperties, anyOf, items, properties } = schema;
    const inside = (property: Schema, key: string) =>
      part(property, name === anonymous ? anonymous : `${name}${pascalCase(key)}`);
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, inside(one, key)])),
      }),
      ...(items && { items: part(items, singular(name)) }),
      ...(anyOf && { anyOf: anyOf.map((member) => part(member, name)) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: part(additionalProperties, `${name}Value`),
      }),
    };
  };

  /** Converts a nested schema, moving it to a component of the given name if it needs one. */
  function part(schema: Schema, name: string): Schema {
    const { $ref } = schema;
    if ($ref !== undefined) {
      const known = knownName(nameOf($ref));
      return !isResponse && has(known) ? { ...schema, $ref: $ref.replace(/[^/]+$/, known) } : schema;
    }
    if (isResponse && isEnumeration(schema)) return { ...besideReference(schema), ...addEnumeration(name, schema) };
    const found = withParts(schema, name);
    return isNamed(schema) && name !== anonymous ? { ...besideReference(schema), ...add(name, found) } : found;
  }

  /** Converts a schema that already has a name. */
  const component = (name: string, schema: Schema): Json =>
    isEnumeration(schema) ? addEnumeration(name, schema) : add(name, withParts(schema, name));

  return { component, part };
}
