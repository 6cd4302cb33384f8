/** The types of the OpenAPI document, limited to what the pages of the reference read. */

export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly 'x-extension'?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly 'x-extension'?: boolean;
}

export interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

export interface Response {
  readonly description: string;
  readonly content?: Content;
}

export interface Sample {
  readonly lang: string;
  readonly source: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly 'x-codeSamples': readonly Sample[];
  readonly 'x-extension'?: boolean;
  readonly 'x-price'?: Readonly<Record<string, unknown>>;
}

export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** Resolves a reference, or returns the part itself. */
export function resolved<Part extends object>(
  components: Readonly<Record<string, Part>>,
  part: Part | { readonly $ref: string },
): Part {
  if (!('$ref' in part)) return part;
  const found = components[nameOf(part.$ref)];
  if (!found) throw new Error(`${part.$ref} leads nowhere`);
  return found;
}

export function resolvedSchema(document: ReferenceDocument, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const { $ref, ...own } = schema;
  return { ...document.components.schemas[nameOf($ref)], ...own };
}
