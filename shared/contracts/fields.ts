/** The kinds of field that contracts are made of; each says in its own words what it accepts. */
import * as z from 'zod';
import { countCodePoints } from './code-points.ts';

/** What a field says of any value it refuses: `is required` when absent, else the one sentence of its kind. */
const refusal = (expectation: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : expectation;

/** Text of so many Unicode code points, not trimmed; without a maximum the body's own limit is the only one. */
export const text = (minimum: number, maximum?: number) => {
  const most = maximum ?? Number.POSITIVE_INFINITY;
  const expectation = `must be a text of ${maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`} characters`;
  return z
    .string({ error: refusal(expectation) })
    .refine((value) => value.isWellFormed() && countCodePoints(value) >= minimum && countCodePoints(value) <= most, {
      error: expectation,
    })
    .meta({ minLength: minimum, ...(maximum !== undefined && { maxLength: maximum }) });
};

/** The `Idempotency-Key` header. */
export const idempotencyKey = text(1, 128);

/** Smaller than any difference that anybody can mean, and far larger than the smallest number that a table can keep. */
const negligible = 1e-30;

/** What is next to zero is zero: a number without a lower bound to its size could not be kept everywhere. */
export const numberBetween = (minimum: number, maximum: number) => {
  const error = refusal(`must be a number between ${minimum} and ${maximum}`);
  return z
    .number({ error })
    .min(minimum, { error })
    .max(maximum, { error })
    .overwrite((value) => (Math.abs(value) < negligible ? 0 : value));
};

/** A whole number; without a maximum, any that JSON keeps exactly. */
export const integer = (minimum: number, maximum?: number) => {
  const range = maximum === undefined ? `of at least ${minimum}` : `between ${minimum} and ${maximum}`;
  const error = refusal(`must be an integer ${range}`);
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  return z.int({ error }).min(minimum, { error }).max(most, { error });
};

export const boolean = () => z.boolean({ error: refusal('must be true or false') });

/** At most so many of a kind. */
export const listOf = <Item extends z.ZodType>(item: Item, maximum: number) => {
  const error = refusal(`must be a list of at most ${maximum} items`);
  return z.array(item, { error }).max(maximum, { error });
};

/** One of a closed set of numbers. */
export const oneOfNumbers = <const Values extends readonly [number, ...number[]]>(values: Values) =>
  z
    .literal(values, { error: refusal(`must be one of ${values.join(', ')}`) })
    .meta({ type: 'integer', enum: [...values] });

/** `transparent`, or a colour of six hexadecimal digits. */
export const background = () => {
  const error = refusal('must be transparent or a colour such as #ffcc00');
  return z.string({ error }).regex(/^(?:transparent|#[0-9a-fA-F]{6})$/, { error });
};

const oneOfError = (values: readonly string[]) => refusal(`must be one of ${values.join(', ')}`);

/** One of a closed set of values, named in the message of a refusal. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOfError(values) });

/** As {@link oneOf}, in any case; what comes out is lower case. */
export const oneOfInAnyCase = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string({ error: oneOfError(values) })
    .toLowerCase()
    .pipe(oneOf(values))
    .meta({ enum: [...values] });

/** Marks the addresses that users give: the runtime holds them against the service's URL policy. */
export const userUrls = z.registry<{ readonly leadsTo: 'receiver' | 'image' }>();

/** What a refused address is told, whatever the reason: never a hint at what lies behind it. */
export const urlExpectation = 'must be an https URL of a public host, at most 2048 characters';

/** An https URL of a public host; whether it is one, the URL policy decides. */
const userUrl = (leadsTo: 'receiver' | 'image') =>
  z
    .string({ error: refusal(urlExpectation) })
    .refine((value) => value.length <= 2048 && URL.canParse(value), { error: urlExpectation })
    .meta({ format: 'uri', pattern: '^https://', maxLength: 2048 })
    .register(userUrls, { leadsTo });

/** Where the service posts to. */
export const receiverUrl = () => userUrl('receiver');

/** Where a picture is: JPEG, PNG or WebP, whatever its name says. */
export const imageUrl = () => userUrl('image');

const decimalInteger = /^(?:0|[1-9]\d{0,8})$/;

/** A query value: a decimal integer in a range; anything else is refused, never clamped. */
const queryInteger = (minimum: number, maximum: number, byDefault: number) => {
  const error = `must be an integer between ${minimum} and ${maximum}`;
  const inRange = (value: string) => decimalInteger.test(value) && Number(value) >= minimum && Number(value) <= maximum;
  return z
    .string({ error })
    .refine(inRange, { error })
    .transform(Number)
    .default(byDefault)
    .meta({ type: 'integer', minimum, maximum, default: byDefault });
};

/** `limit` and `offset` of every list. */
export const paging = {
  limit: queryInteger(1, 100, 20).describe('How many entries to return.'),
  offset: queryInteger(0, 10_000, 0).describe('How many entries to pass over, newest first.'),
};

/** `limit` and `offset` as a list gives them back. */
export const page = {
  limit: z.int().min(1).max(100),
  offset: z.int().min(0).max(10_000),
};

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

export const id = () =>
  z
    .string()
    .regex(new RegExp(`^${uuid}$`))
    .describe('Sorts by creation time; treat it as opaque.');

/** A query value that is one id of a kind. */
export const idOf = (kind: string) => {
  const error = `must be a ${kind} id`;
  return z.string({ error }).regex(new RegExp(`^${uuid}$`), { error });
};

/** A query value of 1 to so many ids of a kind, separated by commas. */
export const idList = (maximum: number, kind: string) => {
  const error = `must be 1 to ${maximum} ${kind} ids separated by commas`;
  return z
    .string({ error })
    .regex(new RegExp(`^${uuid}(?:,${uuid}){0,${maximum - 1}}$`), { error })
    .transform((value) => value.split(','));
};

/** ISO 8601, UTC, milliseconds. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time' });

/** Whole credits. */
export const credits = () => z.int().min(0);

/** An amount of money in the currency's main unit: 49.9 is R$ 49,90. */
export const money = () => z.number().min(0);
