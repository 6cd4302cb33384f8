/** The part of JSON Schema that forms are made of. */

export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

export interface Resolved extends JsonSchema {
  readonly isNullable: boolean;
}

/** Resolves references, and separates null from the other types that a field accepts. */
export function resolved(schema: JsonSchema, root: JsonSchema): Resolved {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? schema : (root.$defs?.[name] ?? {});
  const others = target.anyOf?.filter(({ type }) => type !== 'null');
  const [only] = others ?? [];
  if (others?.length !== 1 || only === undefined) return { ...target, isNullable: false };
  return { ...resolved(only, root), isNullable: others.length !== target.anyOf?.length };
}

/** The kind of input with which a field is edited. */
export type FieldKind = 'choice' | 'flag' | 'number' | 'text' | 'lines' | 'group' | 'list' | 'json';

export function kindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (schema.enum) return 'choice';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'object' && schema.properties) return 'group';
  if (schema.type !== 'array' || !schema.items) return 'json';
  const { properties, type } = resolved(schema.items, root);
  if (type === 'string') return 'lines';
  return properties ? 'list' : 'json';
}

/** The initial value of a new entry in a list. */
export function emptyValue(schema: JsonSchema, root: JsonSchema): unknown {
  const { default: byDefault, enum: choices, properties = {}, required = [], type } = resolved(schema, root);
  if (byDefault !== undefined) return byDefault;
  if (choices) return choices[0];
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type !== 'object') return '';
  const members = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, emptyValue(member, root)]));
}

/**
 * The number that was typed; any other text is kept, so that the service rejects it with a message that names the
 * field.
 */
export const numberOrText = (typed: string): unknown => (/^-?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed);
