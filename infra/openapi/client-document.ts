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

interface PublishedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | Reference>>;
}

export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** An operation as its callers see it: the envelopes of its responses are unwrapped. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
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
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return { properties, required: parameters.flatMap(({ name, required }) => (required ? [name] : [])) };
}

/** All operations, in the order of the document. */
export const operationsOf = (document: ClientDocument): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, parameters, requestBody, responses }]) => {
      const resolved = parameters
        .map((parameter) => ('$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)] : parameter))
        .filter((parameter) => parameter !== undefined);
      const placed = (place: string) => resolved.filter((parameter) => parameter.in === place);
      const successes = Object.entries(responses).filter(([code]) => code.startsWith('2'));
      const [status, success] = successes.at(-1) ?? [];
      return {
        operationId,
        summary,
        method: method.toUpperCase(),
        path,
        params: objectOf(placed('path')),
        query: objectOf(placed('query')),
        headers: placed('header').map(({ name }) => name),
        body: requestBody?.content['application/json'].schema,
        status: Number(status),
        data: dataOf(document, success),
        dryRun: successes.length > 1 ? dataOf(document, successes[0]?.[1]) : undefined,
      };
    }),
  );
