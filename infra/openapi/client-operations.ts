/** Generates the client's operations and their types from the OpenAPI document, as TypeScript without dependencies. */

interface Schema {
  readonly $ref?: string;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | Reference>>;
}

export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';
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

const dataOf = (document: ClientDocument, response: Content | Reference): Schema => {
  const $ref = 'content' in response ? response.content['application/json'].schema.$ref : undefined;
  const envelope = document.components.schemas[nameOf($ref ?? '')];
  return envelope?.properties?.data ?? {};
};

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationType(document: ClientDocument, { operation }: Located): string {
  const { operationId, parameters, requestBody, responses } = operation;
  const placed = (place: string, as: string): string[] => {
    const found = parameters
      .map((parameter) => ('$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)] : parameter))
      .filter((parameter) => parameter?.in === place)
      .filter((parameter) => parameter !== undefined);
    if (found.length === 0) return [];
    const properties = Object.fromEntries(found.map(({ name, schema }) => [name, schema]));
    const required = found.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
    return [`    ${as}: ${objectType({ properties, required }, '    ')};\n`];
  };
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const [status = '', success] = successes.at(-1) ?? [];
  const dryRun = successes.length > 1 ? successes[0]?.[1] : undefined;
  return [
    `  ${operationId}: {\n`,
    ...placed('path', 'params'),
    ...placed('query', 'query'),
    ...(requestBody ? [`    body: ${typeOf(requestBody.content['application/json'].schema, '    ')};\n`] : []),
    `    status: ${status};\n`,
    `    data: ${success ? typeOf(dataOf(document, success), '    ') : 'never'};\n`,
    ...(dryRun ? [`    dryRun: ${typeOf(dataOf(document, dryRun), '    ')};\n`] : []),
    '  };\n',
  ].join('');
}

const routeOf = ({ method, path, operation }: Located): string => {
  const dryRun = Object.keys(operation.responses).filter((status) => status.startsWith('2')).length > 1;
  return `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}', dryRun: ${dryRun} },\n`;
};

/** Whether a schema is an envelope, which the client unwraps. */
const isEnvelope = (name: string): boolean => name.endsWith('Response') || name === 'Error';

const declaration = (name: string, schema: Schema): string =>
  schema.properties ? `export interface ${name} ${typeOf(schema)}\n\n` : `export type ${name} = ${typeOf(schema)};\n\n`;

/** Generates the text of `client/operations.ts`. */
export function clientOperations(document: ClientDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !isEnvelope(name));
  return [
    '/** The operations of the API and their types. Generated by `npm run openapi`: do not edit. */\n\n',
    ...schemas.map(([name, schema]) => declaration(name, schema)),
    'export interface Operations {\n',
    ...operations.map((located) => operationType(document, located)),
    '}\n\n',
    'export const operations = {\n',
    ...operations.map(routeOf),
    '} as const;\n',
  ].join('');
}
