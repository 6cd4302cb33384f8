/** Renders tables of fields: parameters, bodies and responses. */
import { type Parameter, type ReferenceDocument, resolvedSchema, type Schema } from './document.ts';
import { escaped, inline } from './markdown.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  readonly isExtension: boolean;
}

export const extensionBadge = '<span class="badge">extension</span>';

const range = (from: number | undefined, to: number | undefined, unit: string): string | undefined => {
  const isUnbounded = to === undefined || to >= Number.MAX_SAFE_INTEGER;
  if (from === undefined && isUnbounded) return undefined;
  return isUnbounded ? `at least ${from}${unit}` : `${from ?? 0} to ${to.toLocaleString('en')}${unit}`;
};

const numbers = ({ exclusiveMinimum, minimum, maximum }: Schema): string | undefined =>
  exclusiveMinimum === undefined
    ? range(minimum, maximum, '')
    : `greater than ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum.toLocaleString('en')}`}`;

function typeOf(document: ReferenceDocument, given: Schema): string {
  const schema = resolvedSchema(document, given);
  if (schema.anyOf && !schema.type) return schema.anyOf.map((member) => typeOf(document, member)).join(' or ');
  if (schema.items) return `array of ${typeOf(document, schema.items)}`;
  return schema.type ?? 'any';
}

const limitsOf = ({ const: only, enum: values, ...schema }: Schema): readonly string[] =>
  [
    only === undefined ? undefined : `<code>${escaped(JSON.stringify(only))}</code>`,
    values && `one of ${values.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')}`,
    schema.type === 'string' && !values && !only && schema.minLength !== undefined
      ? range(schema.minLength, schema.maxLength, ' characters')
      : undefined,
    schema.type === 'integer' || schema.type === 'number' ? numbers(schema) : undefined,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
    schema.default === undefined ? undefined : `default <code>${escaped(JSON.stringify(schema.default))}</code>`,
  ].filter((limit) => limit !== undefined);

/** An enumeration in a response, to which values may be added later. */
function knownValues(document: ReferenceDocument, { type, anyOf: [known] = [] }: Schema): readonly string[] {
  if (type !== 'string' || !known) return [];
  return [`${limitsOf(resolvedSchema(document, known)).join('')}, or a value that was added later`];
}

function row(document: ReferenceDocument, { name, schema, isRequired, description, isExtension }: Field): string {
  const found = resolvedSchema(document, schema);
  const notes = [...limitsOf({ ...found, ...schema }), ...knownValues(document, found)];
  const text = (description ?? found.description ?? '').replace(/^Extension\. /, '');
  return [
    `<tr><td><code>${escaped(name)}</code>${isRequired ? ' <span class="required">required</span>' : ''}`,
    `${isExtension ? ` ${extensionBadge}` : ''}<br><span class="type">${escaped(typeOf(document, schema))}</span></td>`,
    `<td>${inline(text)}${notes.length > 0 ? `<div class="limits">${notes.join(' · ')}</div>` : ''}</td></tr>`,
  ].join('');
}

const fieldTable = (document: ReferenceDocument, fields: readonly Field[]): string =>
  `<div class="wide"><table class="fields"><tbody>${fields.map((field) => row(document, field)).join('')}</tbody></table></div>`;

/** Lists the fields of a schema, nested ones by path. */
function fieldsOf(document: ReferenceDocument, given: Schema, path = ''): Field[] {
  const schema = resolvedSchema(document, given);
  if (schema.anyOf) return schema.anyOf.flatMap((member) => fieldsOf(document, member, path));
  if (schema.items) return fieldsOf(document, schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const full = path ? `${path}.${name}` : name;
    const field = {
      name: full,
      schema: property,
      isRequired: false,
      description: property.description,
      isExtension: property['x-extension'] ?? false,
    };
    return [field, ...fieldsOf(document, property, full)];
  });
}

export function bodyTable(document: ReferenceDocument, schema: Schema): string {
  const required = new Set(schema.required);
  const fields = fieldsOf(document, schema).map((field) => ({ ...field, isRequired: required.has(field.name) }));
  return `${schema.description ? `<p>${inline(schema.description)}</p>` : ''}${fieldTable(document, fields)}`;
}

/** Lists the fields of a response's data, without the envelope. */
export const dataTable = (document: ReferenceDocument, envelope: Schema): string =>
  fieldTable(document, fieldsOf(document, resolvedSchema(document, envelope).properties?.data ?? {}));

export const parameterTable = (document: ReferenceDocument, parameters: readonly Parameter[]): string =>
  fieldTable(
    document,
    parameters.map(({ name, schema, required = false, description, 'x-extension': isExtension = false }) => ({
      name,
      schema,
      isRequired: required,
      description: description?.split('\n')[0],
      isExtension,
    })),
  );
