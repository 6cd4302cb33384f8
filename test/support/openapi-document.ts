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
  readonly tags: readonly string[];
  readonly description: string;
  readonly 'x-implemented'?: boolean;
  readonly 'x-extension'?: boolean;
  readonly 'x-scopes': readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, PublishedResponse>>;
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
  };
}

const closedSchema = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closedSchema);
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closedSchema(member)]));
  const isOpenObject = 'properties' in members && !('additionalProperties' in members);
  return isOpenObject ? { ...members, additionalProperties: false } : members;
};

/** The document with closed objects: the service must return nothing undeclared. Clients must be more tolerant. */
export const closed = (document: OpenapiDocument): OpenapiDocument => ({
  ...document,
  components: {
    ...document.components,
    schemas: closedSchema(document.components.schemas) as OpenapiDocument['components']['schemas'],
  },
});

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

/** All operations, in the order of the document. */
export const operationsOf = ({ paths }: OpenapiDocument): readonly Located[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
