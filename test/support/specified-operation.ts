/** The format of the typed specification, and what many operations have in common. */

/** What a field accepts; lengths in Unicode code points. */
export type Limit =
  | { readonly kind: 'text'; readonly from: number; readonly to?: number; readonly required?: true }
  | { readonly kind: 'number'; readonly from: number; readonly to: number; readonly byDefault: number }
  | { readonly kind: 'positive number' }
  | { readonly kind: 'query integer'; readonly from: number; readonly to: number; readonly byDefault: number }
  | {
      readonly kind: 'integer';
      readonly from: number;
      readonly to?: number;
      readonly byDefault?: number;
      readonly required?: true;
    }
  | { readonly kind: 'boolean'; readonly byDefault?: boolean }
  | { readonly kind: 'one of numbers'; readonly values: readonly number[]; readonly byDefault: number }
  | {
      readonly kind: 'one of';
      readonly values: readonly string[];
      readonly anyCase?: true;
      readonly byDefault?: string;
      readonly required?: true;
    }
  | { readonly kind: 'background'; readonly byDefault: string }
  | { readonly kind: 'url'; readonly required?: true }
  | { readonly kind: 'urls'; readonly from?: number; readonly to: number; readonly required?: true }
  | { readonly kind: 'product images'; readonly from: number; readonly to: number }
  | { readonly kind: 'batch items'; readonly from: number; readonly to: number; readonly required?: true }
  | { readonly kind: 'file ids'; readonly from: number; readonly to: number; readonly longest: number }
  | {
      readonly kind: 'texts';
      readonly from: number;
      readonly to: number;
      readonly longest: number;
      readonly required?: true;
    }
  | { readonly kind: 'payer' }
  | { readonly kind: 'task id' | 'order id' | 'file id' | 'sortable id' | 'inbox id'; readonly required?: true }
  | { readonly kind: 'digest'; readonly required?: true }
  | { readonly kind: 'task ids'; readonly to: number }
  | { readonly kind: 'day' };

export interface SpecifiedOperation {
  readonly method: string;
  readonly path: string;
  /** The scopes, any one of which is sufficient; without scopes, the operation is public. */
  readonly scopes: readonly string[];
  readonly success: number;
  readonly cacheControl: string;
  readonly idempotent: boolean;
  readonly extension: boolean;
  /** Query parameters and body fields that the specification does not have, in lower case. */
  readonly extensions?: readonly string[];
  /** What the plan of the account must include. */
  readonly feature?: 'studio' | 'cortes' | 'piloto';
  /** The time after which an unfinished task fails. */
  readonly timeLimitSeconds?: number;
  /** Whether the response to `X-Dry-Run: true` is 200. */
  readonly dryRun: boolean;
  readonly errors: Readonly<Record<string, number>>;
  readonly params: Readonly<Record<string, Limit>>;
  readonly query: Readonly<Record<string, Limit>>;
  readonly headers: Readonly<Record<string, Limit>>;
  readonly body: Readonly<Record<string, Limit>>;
  /** Whether a body with unknown properties is rejected. */
  readonly isStrict?: true;
  /** The fields of `data` by path, with their types; `?` marks optional fields. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Errors that are possible for every operation: for an oversized body, a request that the firewall blocks, and an
 * overload.
 */
export const everywhere = {
  VALIDATION_ERROR: 400,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_UNAVAILABLE: 503,
};
export const authenticated = { UNAUTHORIZED: 401, ...everywhere };

export const readOnly = {
  method: 'GET',
  success: 200,
  cacheControl: 'no-store',
  idempotent: false,
  extension: false,
  dryRun: false,
  params: {},
  query: {},
  headers: {},
  body: {},
} as const;

const paging = {
  limit: { kind: 'query integer', from: 1, to: 100, byDefault: 20 },
  offset: { kind: 'query integer', from: 0, to: 10_000, byDefault: 0 },
} as const;

/** A list whose `after` parameter, which the specification does not have, is an id of this kind. */
export const pagedBy = (kind: 'sortable id' | 'inbox id') =>
  ({ query: { ...paging, after: { kind } }, extensions: ['after'] }) as const;

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Fields with their types, as in `id name, credits: integer`: names without a type are strings. */
export const fields = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((group) => {
      const [names = '', type = 'string'] = group.split(/:\s/);
      return words(names).map((name) => [name, type.trim()]);
    }),
  );

/** A page of a list whose entries have these fields. */
export const listOf = (name: string, entry: Readonly<Record<string, string>>): Record<string, string> => ({
  [name]: 'array',
  ...Object.fromEntries(Object.entries(entry).map(([field, type]) => [`${name}[].${field}`, type])),
  ...fields('limit offset: integer'),
});
