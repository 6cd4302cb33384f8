/** The kinds of fields that contracts consist of, each with a message that says what it accepts. */
import * as z from 'zod';
import { countCodePoints } from './code-points.ts';
import { type InputLimits, inputLimits, type MediaKind } from './media.ts';
import { once } from './once.ts';

/** The message for a rejected value: `is required` when it is absent, otherwise what the field accepts. */
const expecting = (expectation: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : expectation;

/** As much of an unknown property's name as a message needs. */
const shortName = (name: string | undefined): string =>
  Array.from(name ?? '')
    .slice(0, 60)
    .join('')
    .toWellFormed();

/** An object without any other fields. */
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

/** A string with a length in Unicode code points, not trimmed; without a maximum only the body's limit applies. */
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

/** Smaller than any meaningful difference, but far larger than the smallest number that the table can store. */
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

/** A number greater than 0. The smallest become 0, as in {@link numberBetween}, and the largest what can be stored. */
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

/** A list with a maximum length. */
export const listOf = <Item extends z.ZodType>(item: Item, maximum: number, minimum = 0) => {
  const error = expecting(`must be a list of ${minimum > 0 ? `${minimum} to` : 'at most'} ${maximum} items`);
  return z.array(item, { error }).min(minimum, { error }).max(maximum, { error });
};

/** The items of a list must be unique. */
export const isUnique = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** One of a closed set of numbers. */
export const oneOfNumbers = <const Values extends readonly [number, ...number[]]>(values: Values) =>
  z
    .literal(values, { error: expecting(`must be one of the numbers ${values.join(', ')}`) })
    .meta({ type: 'integer', enum: [...values] });

/** `transparent`, or a color of six hexadecimal digits. */
export const background = () => {
  const error = expecting('must be transparent or a color such as #ffcc00');
  return z
    .string({ error })
    .regex(/^(?:transparent|#[0-9a-fA-F]{6})$/, { error })
    .meta({ maxLength: 11 });
};

const oneOfError = (values: readonly string[]) => expecting(`must be one of ${values.join(', ')}`);

/** One of a closed set of values, which the error message lists. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOfError(values) });

/** What a query or a header says of something that is on or off. */
export const Flag = once(() => oneOf(['true', 'false']).meta({ id: 'Flag' }));

/** A case-insensitive pattern for the words: JSON Schema has no flag for that. */
const anyCasePattern = (values: readonly string[]): string => {
  const letters = (value: string) => value.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
  return `^(${values.map(letters).join('|')})$`;
};

/** Like {@link oneOf} in any case, with lower-case output. Not published as an enumeration: that is case-sensitive. */
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

/** What a URL from a client points to, and the limits of that file. */
export type UrlTarget =
  | { readonly leadsTo: 'receiver' }
  | {
      readonly leadsTo: MediaKind;
      readonly limits: InputLimits;
      /** Engines get the URL itself: the file is too large to be copied when a task begins. */
      readonly isRemote?: true;
    };

/** Marks the URLs that clients provide: the runtime checks them against the service's URL policy. */
export const userUrls = z.registry<UrlTarget>();

/** The message for every rejected URL, whatever the reason: it must reveal nothing about what is behind the URL. */
export const urlExpectation = 'must be an https URL of a public host, at most 2048 characters when percent-encoded';

/** An https URL of a public host; the URL policy decides which hosts are public. */
const userUrl = (target: UrlTarget) =>
  z
    .string({ error: expecting(urlExpectation) })
    .refine((value) => value.length <= 2048 && URL.canParse(value), { error: urlExpectation })
    .meta({ format: 'uri', pattern: '^https://', maxLength: 2048 })
    .register(userUrls, target);

/** Where the service sends webhooks. */
export const receiverUrl = () => userUrl({ leadsTo: 'receiver' });

/** A file of some kind; a field may replace some of that kind's limits. */
const mediaUrl =
  (leadsTo: MediaKind) =>
  (limits: Partial<InputLimits> = {}) =>
    userUrl({ leadsTo, limits: { ...inputLimits[leadsTo], ...limits } });

/** The URL of an image: JPEG, PNG or WebP by its content, not its name. */
export const imageUrl = mediaUrl('image');

/** The URL of an audio file: MP3, WAV, M4A or Ogg by its content, not its name, unless the field has other types. */
export const audioUrl = mediaUrl('audio');

/** The URL of a video: MP4 by its content, not its name, unless the field has other types. */
export const videoUrl = mediaUrl('video');

/** The URL of a video that engines download themselves. */
export const remoteVideoUrl = (limits: Partial<InputLimits>) =>
  userUrl({ leadsTo: 'video', limits: { ...inputLimits.video, ...limits }, isRemote: true });

const decimalInteger = /^(?:0|[1-9]\d{0,8})$/;

/** A query value that is a decimal integer in a range; anything else is rejected, never clamped. */
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

/** The parameters `limit` and `offset` of every list. */
export const paging = () => ({
  limit: queryInteger(1, 100, 20).describe('How many entries to return.'),
  offset: queryInteger(0, 10_000, 0).describe('How many of the newest entries to skip.'),
});

/** `limit` and `offset` as a list returns them. */
export const page = () => ({
  limit: z.int().min(1).max(100).describe('The `limit` that was applied.'),
  offset: z.int().min(0).max(10_000).describe('The `offset` that was applied.'),
});

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

export const id = () =>
  z
    .string()
    .regex(new RegExp(`^${uuid}$`))
    .meta({ maxLength: 36, description: 'Sorts by creation time; treat it as opaque.' });

/** A query value that is an id of one kind. */
export const idOf = (kind: string) => {
  const error = `must be a ${kind} id`;
  return z
    .string({ error })
    .regex(new RegExp(`^${uuid}$`), { error })
    .meta({ maxLength: 36 });
};

/** A query value of one or more ids of one kind, separated by commas. */
export const idList = (maximum: number, kind: string) => {
  const error = `must be 1 to ${maximum} ${kind} ids separated by commas`;
  return z
    .string({ error })
    .regex(new RegExp(`^${uuid}(?:,${uuid}){0,${maximum - 1}}$`), { error })
    .transform((value) => value.split(','))
    .meta({ maxLength: maximum * 37 - 1 });
};

/** ISO 8601, UTC, milliseconds. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time', maxLength: 24 });

/** A string in a response; its maximum length is published, so that clients can size their storage. */
export const shortText = (maxLength = 200) => z.string().meta({ maxLength });

/** A URL that the service returns. */
export const serviceUrl = () => z.url().meta({ maxLength: 2048 });

/** Whole credits. */
export const credits = () => z.int().min(0);

/** The currency of all amounts. */
export const Currency = once(() => oneOf(['BRL']).meta({ id: 'Currency' }));

/** An amount of money in the currency's main unit: 49.9 is R$ 49,90. */
export const money = () => z.number().min(0);

/** Whether a rule about several fields can be judged: also when another field is wrong. */
const isObject = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

/** A JSON Schema of objects with at least one of some properties. */
export const withOneOf = (...names: readonly string[]) => ({
  not: { properties: Object.fromEntries(names.map((name) => [name, { not: {} }])) },
});

/**
 * Requires one of optional fields. Not published as an `anyOf` of `required`: over that, generators of Python lose the
 * type of a body, and those of Go and TypeScript add a union without names.
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
