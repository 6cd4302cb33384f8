/** Generates the client's operations and their types from the OpenAPI document, as TypeScript without dependencies. */

import { polledTasksLimit } from '../../shared/contracts/limits.ts';
import {
  type ClientDocument,
  nameOf,
  type Operation,
  operationsOf,
  type Schema,
  schemasOf,
  unusualRetriesOf,
} from './client-document.ts';

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value);

const primitives: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  null: 'null',
  number: 'number',
  string: 'string',
};

/** A property name, quoted if necessary. */
const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

const objectType = ({ properties = {}, required = [] }: Schema, indent: string): string => {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${indent}  ${property(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}  `)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
};

/** The type of the values of an object with arbitrary property names. */
const valueType = ({ additionalProperties: values }: Schema, indent: string): string =>
  typeof values === 'object' && values.type ? typeOf(values, indent) : 'unknown';

/** A union of the known values, for completion in editors, with any other string. */
const openEnumeration = ([known = {}]: readonly Schema[]): string =>
  `${typeOf(known)} | (string & Record<never, never>)`;

/** The TypeScript type of a schema. @throws {Error} if there is none */
function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf && schema.type === 'string') return openEnumeration(schema.anyOf);
  if (schema.anyOf) return schema.anyOf.map((member) => typeOf(member, indent)).join(' | ');
  if (schema.properties) return objectType(schema, indent);
  if (schema.items) {
    const item = typeOf(schema.items, indent);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return `Record<string, ${valueType(schema, indent)}>`;
  const primitive = primitives[schema.type ?? ''];
  if (!primitive) throw new Error(`no TypeScript type for the schema ${JSON.stringify(schema)}`);
  return primitive;
}

const operationType = ({ operationId, params, query, body, status, data, dryRun, rows }: Operation): string => {
  const parts = { params, query, body, data, dryRun, row: rows?.row };
  const member = (name: keyof typeof parts): string => {
    const schema = parts[name];
    return schema ? `    ${name}: ${typeOf(schema, '    ')};\n` : '';
  };
  return [
    `  ${operationId}: {\n`,
    member('params'),
    member('query'),
    member('body'),
    `    status: ${status};\n`,
    member('data'),
    member('dryRun'),
    member('row'),
    '  };\n',
  ].join('');
};

/** The path that all operations begin with. */
const root = '/api/v1/';

function withoutRoot(path: string): string {
  if (!path.startsWith(root)) throw new Error(`the path ${path} does not begin with ${root}`);
  return path.slice(root.length);
}

const generations = 'generate/';

/** The kind of an operation, of which each has one. @throws {Error} if the client knows no such kind */
function kindOf({ operationId, method, path, dryRun, idempotent, isPublic, isRepeatable, rows }: Operation): string {
  const kinds = {
    paid: dryRun && idempotent && method === 'POST' && withoutRoot(path).startsWith(generations),
    key: idempotent && !dryRun && method === 'POST',
    safe: isRepeatable && method === 'POST',
    post: !isRepeatable && !idempotent && method === 'POST',
    delete: method === 'DELETE',
    open: isPublic && method === 'GET',
    rows: rows && !isPublic && method === 'GET',
    get: !rows && !isPublic && method === 'GET',
  };
  const [[kind] = [], ...others] = Object.entries(kinds).filter(([, applies]) => applies);
  if (kind === undefined || others.length > 0) throw new Error(`the client knows no operation such as ${operationId}`);
  return kind;
}

/** Kind and path in one text, because every user of the client downloads the table. */
const routeOf = (operation: Operation): string => {
  const { operationId, path, rows } = operation;
  const kind = kindOf(operation);
  const below = withoutRoot(path).slice(kind === 'paid' ? generations.length : 0);
  const list = rows ? [rows.member, ...(rows.id === 'id' ? [] : [rows.id])] : [];
  return `  ${operationId}: '${[kind, below, ...list].join(' ')}',\n`;
};

const declaration = (name: string, schema: Schema): string =>
  schema.properties ? `export interface ${name} ${typeOf(schema)}\n\n` : `export type ${name} = ${typeOf(schema)};\n\n`;

/** Generates the text of `client/operations.ts`. */
export function clientOperations(document: ClientDocument): string {
  const operations = operationsOf(document);
  return [
    '/** The operations of the API and their types. Generated by `npm run openapi`: do not edit. */\n\n',
    ...schemasOf(document).map(([name, schema]) => declaration(name, schema)),
    'export interface Operations {\n',
    ...operations.map(operationType),
    '}\n\n',
    '/** How many ids `listTasks` takes. */\n',
    `export const idsPerCall = ${polledTasksLimit};\n\n`,
    '/** The path that all operations begin with. */\n',
    `export const root = '${root}';\n\n`,
    '/** The kind of each operation (see `route.ts`) and its path below `root`; for lists, the member with the rows, and their id. */\n',
    'export const operations = {\n',
    ...operations.map(routeOf),
    '} as const;\n\n',
    '/** The error codes whose retries differ from what their status suggests: 429 and 5xx are retried, others are not. */\n',
    'export const unusualRetries: ReadonlyMap<string, string> = new Map([\n',
    ...Object.entries(unusualRetriesOf(document)).map(([code, retry]) => `  ['${code}', ${literal(retry)}],\n`),
    ']);\n',
  ].join('');
}
