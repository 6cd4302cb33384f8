/** Field types that contracts are built from, each with a message that says what it accepts. */
import * as z from 'zod';
import { countCodePoints } from './code-points.ts';
import { offsetLimit } from './limits.ts';
import { once } from './once.ts';

/** The message for a rejected value: `is required` when it is absent, otherwise what the field accepts. */
export const expecting = (expectation: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : expectation;

/** Shortens the name of an unknown property for an error message. */
const shortName = (name: string | undefined): string =>
  Array.from(name ?? '')
    .slice(0, 60)
    .join('')
    .toWellFormed();

/** An object that rejects undeclared fields. */
export const exactly = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const allowed = `the body must have no fields besides ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${JSON.stringify(shortName((issue.keys as readonly string[])[0]))} is not allowed: ${allowed}`
        : undefined,
  });
};

function lengthExpectation(minimum: number, maximum: number | undefined): string {
  if (maximum === undefined) return minimum > 0 ? 'must be a string that is not empty' : 'must be a string';
  return `must be a string of ${minimum > 0 ? `${minimum} to ${maximum}` : `at most ${maximum}`} characters`;
}

/**
 * A string whose length is counted in Unicode code points and that is not trimmed. Without a maximum, only the limit of
 * the request body applies.
 */
export const text = (minimum: number, maximum?: number) => {
  const expectation = lengthExpectation(minimum, maximum);
  const longest = maximum ?? Number.POSITIVE_INFINITY;
  return z
    .string({ error: expecting(expectation) })
    .refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode, without unpaired surrogates' })
    .refine((value) => countCodePoints(value) >= minimum && countCodePoints(value) <= longest, { error: expectation })
    .meta({ minLength: minimum, ...(maximum !== undefined && { maxLength: maximum }) });
};

/** The `Idempotency-Key` header. */
export const idempotencyKey = once(() => text(1, 128));

/**
 * The largest number that counts as zero: smaller than any meaningful difference, yet far larger than the smallest
 * number that the table can store.
 */
const negligible = 1e-30;

/** A number in a range. Values close to zero become zero: the table cannot store arbitrarily small numbers. */
export const numberBetween = (minimum: number, maximum: number) => {
  const error = expecting(`must be a number between ${minimum} and ${maximum}`);
  return z
    .number({ error })
    .min(minimum, { error })
    .max(maximum, { error })
    .overwrite((value) => (Math.abs(value) < negligible ? 0 : value));
};

/**
 * A number greater than 0. As in {@link numberBetween}, the smallest become 0; the largest become what can be stored.
 */
export const positiveNumber = () => {
  const error = expecting('must be a number greater than 0');
  return z
    .number({ error })
    .gt(0, { error })
    .overwrite((value) => (value < negligible ? 0 : Math.min(value, Number.MAX_SAFE_INTEGER)));
};

/** An integer; without a maximum, up to the largest that JSON numbers represent exactly. */
export const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) => {
  const error = expecting(`must be an integer between ${minimum} and ${maximum}`);
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
};

export const boolean = () => z.boolean({ error: expecting('must be true or false') });

/** More levels than any request has; far fewer than would exhaust the stack of a recursive function. */
const mostLevels = 100;

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}

/** An object whose members another schema checks. */
export const jsonObject = () =>
  z
    .record(z.string(), z.unknown(), { error: expecting('must be an object') })
    .refine(isShallow, { error: `must have at most ${mostLevels} levels of nesting` });

/** A list with a maximum length. */
export const listOf = <Item extends z.ZodType>(item: Item, maximum: number, minimum = 0) => {
  const error = expecting(`must be a list of ${minimum > 0 ? `${minimum} to` : 'at most'} ${maximum} items`);
  return z.array(item, { error }).min(minimum, { error }).max(maximum, { error });
};

/** Whether the items of a list are unique. */
export const isUnique = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** One of a fixed set of numbers. */
export const oneOfNumbers = <const Values extends readonly [number, ...number[]]>(values: Values) =>
  z
    .literal(values, { error: expecting(`must be one of the numbers ${values.join(', ')}`) })
    .meta({ type: 'integer', enum: [...values] });

/** A color: `transparent`, or a six-digit hexadecimal value. */
export const background = () => {
  const error = expecting('must be transparent or a color such as #ffcc00');
  return z
    .string({ error })
    .regex(/^(?:transparent|#[0-9a-fA-F]{6})$/, { error })
    .meta({ maxLength: 11 });
};

const oneOfError = (values: readonly string[]) => expecting(`must be one of ${values.join(', ')}`);

/** One of a fixed set of values, which the error message lists. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOfError(values) });

/** A boolean in a query parameter or a header. */
export const Flag = once(() => oneOf(['true', 'false']).meta({ id: 'Flag' }));

/** A case-insensitive pattern for the words: JSON Schema has no flag for case. */
const anyCasePattern = (values: readonly string[]): string => {
  const letters = (value: string) => value.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
  return `^(${values.map(letters).join('|')})$`;
};

/**
 * Like {@link oneOf}, but case-insensitive; the parsed value is lower case. Published as a pattern, because an
 * enumeration would be case-sensitive.
 */
export const oneOfInAnyCase = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string({ error: oneOfError(values) })
    .toLowerCase()
    .pipe(oneOf(values))
    .meta({
      type: 'string',
      pattern: anyCasePattern(values),
      maxLength: Math.max(...values.map(({ length }) => length)),
      examples: [...values],
    });

const decimalInteger = /^(?:0|[1-9]\d{0,8})$/;

/** A decimal integer in the query string; values outside the range are rejected, never clamped. */
const queryInteger = (minimum: number, maximum: number, byDefault: number) => {
  const error = `must be an integer between ${minimum} and ${maximum}`;
  const inRange = (value: string) => decimalInteger.test(value) && Number(value) >= minimum && Number(value) <= maximum;
  return z
    .string({ error })
    .refine(inRange, { error })
    .transform(Number)
    .default(byDefault)
    .meta({ type: 'integer', format: 'int32', minimum, maximum, default: byDefault });
};

/** The parameters `limit` and `offset` of a list. */
export const limitAndOffset = () => ({
  limit: queryInteger(1, 100, 20).describe('How many entries to return.'),
  offset: queryInteger(0, offsetLimit, 0).describe('How many of the newest entries to skip.'),
});

/** The parameters of every public list, which continues without an end after the id of an entry. */
export const paging = <Id extends z.ZodType>(entryId: Id) => ({
  ...limitAndOffset(),
  after: entryId
    .optional()
    .describe(
      'Extension. The id of the last entry that you received: the list continues after it, and `offset` counts from there.',
    ),
});

/** The page of a list, by `limit` and `offset`, as responses return it. */
export const page = () => ({
  limit: z.int().min(1).max(100).describe('The `limit` that was applied.'),
  offset: z
    .int()
    .min(0)
    .max(offsetLimit)
    .describe(
      'The `offset` that was applied: higher than requested if no entry before it could be shown. An empty page is the end of the list, unless its `offset` is higher than requested.',
    ),
});

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

export const id = () =>
  z
    .string()
    .regex(new RegExp(`^${uuid}$`))
    .meta({ maxLength: 36, description: 'Sorts by creation time; treat it as opaque.' });

/** An id of one kind in the query string, which may have a prefix, such as that of test accounts. */
export const idOf = (kind: string, prefix = '') => {
  const error = `must be a ${kind} id`;
  return z
    .string({ error })
    .regex(new RegExp(`^${prefix && `(${prefix})?`}${uuid}$`), { error })
    .meta({ maxLength: prefix.length + 36 });
};

/** A comma-separated list of ids of one kind in the query string. */
export const idList = (maximum: number, kind: string) => {
  const error = `must be 1 to ${maximum} ${kind} ids separated by commas`;
  return z
    .string({ error })
    .regex(new RegExp(`^${uuid}(?:,${uuid}){0,${maximum - 1}}$`), { error })
    .transform((value) => value.split(','))
    .meta({ maxLength: maximum * 37 - 1 });
};

/** An ISO 8601 timestamp in UTC with milliseconds. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time', maxLength: 24 });

/** A string in a response; its maximum length is published, so that clients can size their storage. */
export const shortText = (maxLength = 200) => z.string().meta({ maxLength });

/** A URL that the service returns. */
export const serviceUrl = () => z.url().meta({ maxLength: 2048 });

/** The field that marks tasks of test mode and their webhooks. */
export const testMark = () =>
  z.literal(true).optional().describe('Extension. Present if the task was created in test mode.');

/** A whole number of credits. */
export const credits = () => z.int().min(0);

/** The currency of all amounts. */
export const Currency = once(() => oneOf(['BRL']).meta({ id: 'Currency' }));

/** An amount of money in the currency's main unit: 49.9 is R$ 49,90. */
export const money = () => z.number().min(0);

/** Lets a rule that spans several fields be checked even if another field is invalid. */
const isObject = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

/** The JSON Schema of an object that has at least one of these properties. */
export const withOneOf = (...names: readonly string[]) => ({
  not: { properties: Object.fromEntries(names.map((name) => [name, { not: {} }])) },
});

/**
 * Requires at least one of several optional fields. Not published as an `anyOf` of `required`: Python generators would
 * lose the type of the body, and Go and TypeScript generators would add an unnamed union.
 */
export const atLeastOneOf = <Shape extends z.ZodRawShape>(
  body: z.ZodObject<Shape>,
  names: readonly (keyof Shape & string)[],
) =>
  body
    .refine((value: Readonly<Record<string, unknown>>) => names.some((name) => value[name] !== undefined), {
      error: `${names.join(' or ')} is required`,
      when: isObject,
    })
    .meta({
      description: `At least one of ${names.map((name) => `\`${name}\``).join(' and ')} is required.`,
      ...withOneOf(...names),
    });
