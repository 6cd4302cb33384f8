/** Tables of fields: parameters, bodies and responses. */
import { markdownTable, quoted } from './markdown-text.ts';
import { type Parameter, type ReferenceDocument, resolvedSchema, type Schema } from './openapi-document.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const grouped = (count: number): string => count.toLocaleString('en');

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const isUnbounded = to === undefined || to >= Number.MAX_SAFE_INTEGER;
  if (from === undefined && isUnbounded) return undefined;
  return isUnbounded ? `at least ${grouped(from ?? 0)}${unit}` : `${grouped(from ?? 0)} to ${grouped(to)}${unit}`;
}

const numbers = ({ exclusiveMinimum, minimum, maximum }: Schema): string | undefined =>
  exclusiveMinimum === undefined
    ? range(minimum, maximum, '')
    : `greater than ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${grouped(maximum)}`}`;

function typeOf(document: ReferenceDocument, given: Schema): string {
  const schema = resolvedSchema(document, given);
  if (schema.anyOf && !schema.type) {
    return [...new Set(schema.anyOf.map((member) => typeOf(document, member)))].join(' or ');
  }
  if (schema.items) return `array of ${typeOf(document, schema.items)}`;
  return schema.type ?? 'any';
}

const limitsOf = ({ const: only, enum: values, ...schema }: Schema): readonly string[] =>
  [
    only === undefined ? undefined : quoted(JSON.stringify(only)),
    values && `one of ${values.map((value) => quoted(String(value))).join(' ')}`,
    schema.type === 'string' && !values && only === undefined && schema.minLength !== undefined
      ? range(schema.minLength, schema.maxLength, ' characters')
      : undefined,
    schema.type === 'integer' || schema.type === 'number' ? numbers(schema) : undefined,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
    schema.default === undefined ? undefined : `default ${quoted(JSON.stringify(schema.default))}`,
  ].filter((limit) => limit !== undefined);

/** An enumeration in a response, to which values may be added later. */
function knownValues(document: ReferenceDocument, { type, anyOf: [known] = [] }: Schema): readonly string[] {
  if (type !== 'string' || !known) return [];
  return [`${limitsOf(resolvedSchema(document, known)).join('')}, or a value that was added later`];
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function rowOf(document: ReferenceDocument, { name, schema, isRequired }: Field): readonly string[] {
  const found = resolvedSchema(document, schema);
  const notes = [...limitsOf({ ...found, ...schema }), ...knownValues(document, found)];
  const text = schema.description ?? found.description ?? '';
  return [
    quoted(name),
    `${typeOf(document, schema)}${isRequired ? ', **required**' : ''}`,
    [text, notes.length > 0 ? `${capitalized(notes.join('; '))}.` : ''].filter(Boolean).join(' '),
  ];
}

/** Lists the fields of a schema, nested ones by path. */
function fieldsOf(document: ReferenceDocument, given: Schema, path = ''): Field[] {
  const schema = resolvedSchema(document, given);
  if (schema.anyOf) return schema.anyOf.flatMap((member) => fieldsOf(document, member, path));
  if (schema.items) return fieldsOf(document, schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const full = path ? `${path}.${name}` : name;
    const field = { name: full, schema: property, isRequired: schema.required?.includes(name) ?? false };
    return [field, ...fieldsOf(document, property, full)];
  });
}

/** A table of the fields; alternatives of a schema repeat what they share, which is shown once. */
function fieldTable(document: ReferenceDocument, fields: readonly Field[]): string {
  const rows = fields.map((field) => rowOf(document, field));
  const distinct = new Map(rows.map((row) => [row.join('\n'), row]));
  return markdownTable(['Field', 'Type', 'Description'], [...distinct.values()]);
}

export const bodyTable = (document: ReferenceDocument, schema: Schema): string =>
  fieldTable(document, fieldsOf(document, schema));

/** Lists the fields of a response's data, without the envelope; undefined if it has none. */
export function dataTable(document: ReferenceDocument, envelope: Schema): string | undefined {
  const { data = {} } = resolvedSchema(document, envelope).properties ?? {};
  // All of these are present unless the description says otherwise: only requests have fields that must be sent.
  const fields = fieldsOf(document, data).map((field) => ({ ...field, isRequired: false }));
  return fields.length > 0 ? fieldTable(document, fields) : undefined;
}

export const parameterTable = (document: ReferenceDocument, parameters: readonly Parameter[]): string =>
  fieldTable(
    document,
    parameters.map(({ name, schema, required = false, description = '' }) => ({
      name,
      isRequired: required,
      schema: { ...schema, description: description.split('\n')[0] ?? '' },
    })),
  );
