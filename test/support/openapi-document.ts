/** The parts of the published OpenAPI document that tests read. */
import { publishedPrices } from '../../shared/catalog/published-prices.ts';
import { type OpenapiOptions, openapi } from '../../shared/contracts/openapi/openapi.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface PublishedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header | Reference>>;
  readonly links?: Readonly<Record<string, Link>>;
  readonly content: { readonly 'application/json': MediaType };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly 'x-extension'?: boolean;
}

export interface PublishedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly 'x-implemented'?: boolean;
  readonly 'x-extension'?: boolean;
  readonly 'x-scopes': readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, PublishedResponse | Reference>>;
}

export interface OpenapiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: PublishedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, PublishedResponse>>;
  };
}

const closedSchema = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closedSchema);
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closedSchema(member)]));
  if (members.type === 'string' && Array.isArray(members.anyOf)) return members.anyOf[0];
  const isOpen = !('additionalProperties' in members || 'unevaluatedProperties' in members);
  const isOpenObject = members.type === 'object' && 'properties' in members && isOpen;
  return isOpenObject ? { ...members, additionalProperties: false } : members;
};

/** The names of all schemas that a part of the document refers to, directly or not. */
function referenced(document: OpenapiDocument, part: unknown, names = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    referenced(document, document.components.schemas[name], names);
  }
  return names;
}

/**
 * The document with closed objects and enumerations of responses: the service must return nothing undeclared. Clients
 * must be more tolerant.
 */
export function closed(document: OpenapiDocument): OpenapiDocument {
  const { schemas } = document.components;
  const requests = referenced(
    document,
    operationsOf(document).map(({ operation }) => operation.requestBody),
  );
  const ofResponses = Object.entries(schemas).map(([name, schema]) => [
    name,
    requests.has(name) ? schema : closedSchema(schema),
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(ofResponses) } };
}

export const published = (options: Partial<OpenapiOptions> = {}): OpenapiDocument =>
  openapi({
    serverUrl: 'http://127.0.0.1:3000',
    version: '1.0.0',
    prices: publishedPrices,
    ...options,
  }) as OpenapiDocument;

/** Resolves an object of the document or a reference to a component. */
export function resolved<Item extends object>(
  item: Item | Reference,
  components: Readonly<Record<string, Item>>,
): Item {
  if (!('$ref' in item)) return item;
  const found = components[item.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`${item.$ref} leads nowhere`);
  return found;
}

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: PublishedOperation;
}

/** The responses of an operation, by status. */
export const responsesOf = (
  { responses }: PublishedOperation,
  { components }: OpenapiDocument,
): Readonly<Record<string, PublishedResponse>> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      resolved<PublishedResponse>(response, components.responses),
    ]),
  );

/** The schema of an operation's body. */
export function bodySchemaOf({ requestBody }: PublishedOperation, { components }: OpenapiDocument): Schema | undefined {
  const schema = requestBody?.content['application/json'].schema;
  return schema && resolved<Schema>(schema, components.schemas);
}

/** All operations, in the order of the document. */
export const operationsOf = ({ paths }: OpenapiDocument): readonly Located[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
