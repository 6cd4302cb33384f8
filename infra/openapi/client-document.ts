/** Reads from the OpenAPI document what the generated clients need: its schemas, and its operations with their parts. */

export interface Schema {
  readonly $ref?: string;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string;
  /** For each error code, whether to retry. */
  readonly 'x-retry'?: Readonly<Record<string, string>>;
}

interface Content {
  readonly content: {
    readonly 'application/json': { readonly schema: Schema; readonly examples?: Readonly<Record<string, unknown>> };
  };
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface PublishedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | Reference>>;
  readonly 'x-scopes': readonly string[];
  readonly 'x-repeatable'?: boolean;
}

export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/** How a client reads all rows of a list. */
export interface Rows {
  /** The member of `data` that holds the rows of a page. */
  readonly member: string;
  readonly row: Schema;
  /** The member of a row to pass as `after`. */
  readonly id: string;
}

/** An operation as its callers see it: the envelopes of its responses are unwrapped. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  /** The parameters in the path as an object's schema, if there are any. */
  readonly params: Schema | undefined;
  /** The parameters in the query as an object's schema, if there are any. */
  readonly query: Schema | undefined;
  /** The names of the headers that a request may have. */
  readonly headers: readonly string[];
  readonly body: Schema | undefined;
  readonly status: number;
  readonly data: Schema;
  /** What a dry run returns, if the operation has one. */
  readonly dryRun: Schema | undefined;
  /** How to read all rows, if the operation returns a page of a list. */
  readonly rows: Rows | undefined;
  /** Whether the operation accepts an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Whether a POST without key has no further effect when it is repeated. */
  readonly isRepeatable: boolean;
  /** Whether the operation needs no token. */
  readonly isPublic: boolean;
}

/** The name of the component that a reference leads to. */
export const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** Whether a schema is an envelope, which the clients unwrap. */
const isEnvelope = (name: string): boolean => name.endsWith('Response') || name === 'Error';

/** The named schemas that callers see. */
export const schemasOf = ({ components }: ClientDocument): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries(components.schemas).filter(([name]) => !isEnvelope(name));

function dataOf({ components }: ClientDocument, response: Content | Reference | undefined): Schema {
  const $ref = response && 'content' in response ? response.content['application/json'].schema.$ref : undefined;
  const data = components.schemas[nameOf($ref ?? '')]?.properties?.data;
  if (!data) throw new Error(`no envelope with data in the response ${JSON.stringify(response)}`);
  return data;
}

function objectOf(parameters: readonly Parameter[]): Schema | undefined {
  if (parameters.length === 0) return undefined;
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      { ...(description !== undefined && { description }), ...schema },
    ]),
  );
  return { properties, required: parameters.flatMap(({ name, required }) => (required ? [name] : [])) };
}

const resolve = ({ components }: ClientDocument, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)];

function rowsOf(document: ClientDocument, data: Schema, query: Schema | undefined): Rows | undefined {
  if (!query?.properties?.after) return undefined;
  const [member, list] = Object.entries(resolve(document, data)?.properties ?? {}).find(([, { items }]) => items) ?? [];
  const row = list?.items;
  const names = Object.keys(resolve(document, row)?.properties ?? {});
  const id = names.find((name) => name === 'id') ?? names.find((name) => name.endsWith('Id'));
  if (member === undefined || row === undefined || id === undefined)
    throw new Error(`no rows with ids in the page ${JSON.stringify(data)}`);
  return { member, row, id };
}

/** For each error code, whether to retry. @throws {Error} if the document does not say. */
export function retriesOf({ components }: ClientDocument): Readonly<Record<string, string>> {
  const retries = components.schemas.KnownErrorCode?.['x-retry'];
  if (!retries) throw new Error('the error codes have no x-retry');
  return retries;
}

/** The HTTP status of each error code, by the examples of all error responses. */
function statusesOf({ paths, components }: ClientDocument): ReadonlyMap<string, number> {
  const responses = Object.values(paths)
    .flatMap(Object.values<PublishedOperation>)
    .flatMap((one) => Object.entries(one.responses));
  return new Map(
    responses.flatMap(([status, response]) => {
      const resolved = 'content' in response ? response : components.responses[nameOf(response.$ref)];
      return Object.keys(resolved?.content['application/json'].examples ?? {}).map((code) => [code, Number(status)]);
    }),
  );
}

/**
 * The error codes whose retries differ from what their HTTP status suggests: 429 and 5xx are retried, others are not.
 */
export function unusualRetriesOf(document: ClientDocument): Readonly<Record<string, string>> {
  const statuses = statusesOf(document);
  const suggested = (code: string) => {
    const status = statuses.get(code) ?? 0;
    return status === 429 || status >= 500 ? 'yes' : 'no';
  };
  return Object.fromEntries(Object.entries(retriesOf(document)).filter(([code, retry]) => retry !== suggested(code)));
}

/** A batch, unlike a single generation, has the same response in a dry run. */
const dryRunOf = (headers: readonly string[], first: Schema): Schema | undefined =>
  headers.includes('X-Dry-Run') ? first : undefined;

/** All operations, in the order of the document. */
export const operationsOf = (document: ClientDocument): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, published]) => {
      const { operationId, summary, description, parameters, requestBody, responses } = published;
      const resolved = parameters
        .map((parameter) => ('$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)] : parameter))
        .filter((parameter) => parameter !== undefined);
      const placed = (place: string) => resolved.filter((parameter) => parameter.in === place);
      const successes = Object.entries(responses).filter(([code]) => code.startsWith('2'));
      const [status, success] = successes.at(-1) ?? [];
      const data = dataOf(document, success);
      const query = objectOf(placed('query'));
      const headers = placed('header').map(({ name }) => name);
      return {
        operationId,
        summary,
        description,
        method: method.toUpperCase(),
        path,
        params: objectOf(placed('path')),
        query,
        headers,
        body: requestBody?.content['application/json'].schema,
        status: Number(status),
        data,
        dryRun: dryRunOf(headers, successes.length > 1 ? dataOf(document, successes[0]?.[1]) : data),
        rows: rowsOf(document, data, query),
        idempotent: headers.includes('Idempotency-Key'),
        isRepeatable: published['x-repeatable'] ?? false,
        isPublic: published['x-scopes'].length === 0,
      };
    }),
  );
