/** Reads from the contract of an operation which fields its form has: kinds, choices, bounds and defaults. */
import type * as z from 'zod';
import type { generateContracts } from '../../../shared/contracts/generate.ts';
import type { MediaType } from '../../../shared/contracts/media.ts';
import type { studioContracts } from '../../../shared/contracts/studio.ts';
import { userUrls } from '../../../shared/contracts/url-fields.ts';

type NamesIn<Contract> = Contract extends { readonly body: infer Body extends z.ZodType } ? keyof z.input<Body> : never;

/** The fields of all forms, except those about webhooks: a task of the dashboard has none. */
export type FieldName = Exclude<
  | NamesIn<(typeof generateContracts)[keyof typeof generateContracts]>
  | 'images'
  | NamesIn<typeof studioContracts.createStudioAvatar>
  | NamesIn<typeof studioContracts.createStudioProduct>,
  'callbackUrl' | 'avatarFileId' | 'productFileIds' | 'sourceInfluencerId'
>;

interface FileLimits {
  readonly types: readonly MediaType[];
  readonly maxBytes: number;
}

/** The kind of input for a field. */
export type FieldKind =
  | { readonly kind: 'text'; readonly min: number; readonly max: number | undefined }
  | { readonly kind: 'choice'; readonly options: readonly (string | number)[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number | undefined; readonly isInteger: boolean }
  | ({ readonly kind: 'files'; readonly isList: boolean; readonly most: number } & FileLimits);

export type Field = FieldKind & {
  readonly name: FieldName;
  readonly isRequired: boolean;
  /** The value that applies if the field is absent. */
  readonly byDefault: unknown;
};

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly (string | number)[];
}

const definitionOf = ({ def }: z.ZodType): Definition => def;

/** The schema of a field without the wrappers that make it optional or give it a default. */
function unwrapped(schema: z.ZodType): { readonly schema: z.ZodType; readonly byDefault: unknown } {
  const { innerType, defaultValue } = definitionOf(schema);
  if (!innerType) return { schema, byDefault: undefined };
  const inner = unwrapped(innerType);
  return { schema: inner.schema, byDefault: defaultValue ?? inner.byDefault };
}

const most = Number.MAX_SAFE_INTEGER;
const bounded = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < most ? value : undefined;

const boundsOf = ({ minValue, maxValue }: z.ZodNumber) => ({ min: bounded(minValue) ?? 0, max: bounded(maxValue) });

/** How many items a list may have. */
function mostIn({ def }: z.ZodType): number {
  const checks = (def.checks ?? []).map(({ _zod: { def: limit } }) => limit as { readonly maximum?: number });
  return checks.find(({ maximum }) => maximum !== undefined)?.maximum ?? 1;
}

/** The limits of the files that a URL may lead to. */
function fileLimitsOf(schema: z.ZodType): FileLimits | undefined {
  const target = userUrls.get(schema);
  return target && target.leadsTo !== 'receiver' ? target.limits : undefined;
}

function stringKind(schema: z.ZodType): FieldKind {
  const limits = fileLimitsOf(schema);
  if (limits) return { kind: 'files', isList: false, most: 1, ...limits };
  const { minLength = 0, maxLength } = (schema.meta() ?? {}) as { minLength?: number; maxLength?: number };
  return { kind: 'text', min: minLength, max: maxLength };
}

function kindOf(schema: z.ZodType): FieldKind {
  const { type, element, entries, options, out, values } = definitionOf(schema);
  switch (type) {
    case 'enum':
      return { kind: 'choice', options: Object.values(entries ?? {}) };
    case 'literal':
      return { kind: 'choice', options: values ?? [] };
    case 'boolean':
      return { kind: 'flag' };
    case 'number':
      return {
        kind: 'number',
        ...boundsOf(schema as z.ZodNumber),
        isInteger: (schema as z.ZodNumber).format === 'safeint',
      };
    case 'pipe':
      return kindOf(out ?? schema);
    // A union's first option is the simplest form of a value.
    case 'union':
      return kindOf(options?.[0] ?? schema);
    case 'array': {
      const item = kindOf(element ?? schema);
      if (item.kind !== 'files') throw new Error('there is no input for such a list');
      return { ...item, isList: true, most: mostIn(schema) };
    }
    default:
      return stringKind(schema);
  }
}

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

/** The fields of a body, in the order of the contract. */
export function fieldsOf(
  body: z.ZodType,
  isShown: (name: string) => boolean = (name) => name !== 'callbackUrl',
): Field[] {
  const { shape } = body as z.ZodObject;
  return Object.entries(shape)
    .filter(([name]) => isShown(name))
    .map(([name, schema]) => {
      const inner = unwrapped(schema as z.ZodType);
      return {
        name: name as FieldName,
        isRequired: isRequired(schema as z.ZodType),
        byDefault: inner.byDefault,
        ...kindOf(inner.schema),
      };
    });
}

/** The values of a form, by field; absent fields have their default. */
export type Values = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The request body for the values of a form. */
export const bodyOf = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => isGiven(value)));

/**
 * The example in the contract as values of a form, without files and ids, which exist only in the account of the
 * example.
 */
export function exampleOf(fields: readonly Field[], example: Values = {}): Values {
  const kept = fields.filter(({ kind, name }) => kind !== 'files' && name !== 'productId' && name in example);
  return Object.fromEntries(kept.map(({ name }) => [name, example[name]]));
}
