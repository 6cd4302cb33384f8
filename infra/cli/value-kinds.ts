/** The kinds of values that commands accept. */
import * as z from 'zod';
import { day as dayField } from '../../shared/contracts/day-field.ts';
import { id, text } from '../../shared/contracts/fields.ts';
import { monthlyCapLimit, retentionDaysLimit } from '../../shared/contracts/limits.ts';
import { type Scope, scopes } from '../../shared/contracts/scopes.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import type { ValueKind } from './command.ts';

const creditsMax = 1_000_000_000;

const grouped = (value: number): string => value.toLocaleString('en-US');

/** A string that is not blank. */
export const textOf = (placeholder: string, minimum: number, maximum: number): ValueKind<string> => {
  const schema = text(minimum, maximum);
  return {
    placeholder,
    accepts: `a string of ${minimum} to ${maximum} characters that is not blank`,
    parse: (value) => (schema.safeParse(value).success && value.trim() !== '' ? value : undefined),
  };
};

export const emailAddress: ValueKind<string> = {
  placeholder: 'EMAIL',
  accepts: 'an e-mail address with one @, without spaces, of at most 254 characters',
  parse: (value) => (value.length <= 254 && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(value) ? value : undefined),
};

/** An integer in decimal digits, with a minus sign if negative. */
export const integer = (minimum: number, maximum: number): ValueKind<number> => ({
  placeholder: 'N',
  accepts: `an integer from ${grouped(minimum)} to ${grouped(maximum)}, in plain digits`,
  parse(value) {
    const number = /^-?\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
});

export const day: ValueKind<string> = {
  placeholder: 'DAY',
  accepts: 'a day such as 2026-11-21',
  parse: (value) => dayField().safeParse(value).data,
};

/** An amount of credits, positive or negative but not zero. */
export const creditAmount: ValueKind<number> = {
  ...integer(-creditsMax, creditsMax),
  accepts: `an integer from ${grouped(-creditsMax)} to ${grouped(creditsMax)} other than 0, in plain digits`,
  parse: (value) => integer(-creditsMax, creditsMax).parse(value) || undefined,
};

/** How many credits a token may spend in a month. */
export const monthlyCap: ValueKind<number> = integer(1, monthlyCapLimit);

const orNone = (kind: ValueKind<number>): ValueKind<number | 'none'> => ({
  ...kind,
  accepts: `none, or ${kind.accepts}`,
  parse: (value) => (value === 'none' ? value : kind.parse(value)),
});

/** A new monthly cap, or `none`. */
export const monthlyCapOrNone: ValueKind<number | 'none'> = orNone(monthlyCap);

/** A number of days, or `none`. */
export const retentionDaysOrNone: ValueKind<number | 'none'> = orNone(integer(1, retentionDaysLimit));

export const oneOf = <const Values extends readonly string[]>(
  placeholder: string,
  values: Values,
): ValueKind<Values[number]> => ({
  placeholder,
  accepts: values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`,
  parse: (value) => values.find((candidate) => candidate === value),
  values,
});

/** A comma-separated list of these values, in the given order. */
export const someOf = <const Values extends readonly string[]>(
  placeholder: string,
  values: Values,
): ValueKind<readonly Values[number][]> => ({
  placeholder,
  accepts: `one or more of ${values.join(', ')}, separated by commas`,
  parse(text) {
    const named = text.split(',').map((name) => values.find((candidate) => candidate === name.trim()));
    const known = named.filter((name) => name !== undefined);
    return known.length === named.length && new Set(known).size === known.length ? known : undefined;
  },
  values,
});

/** An id of the service; `where` says where to find it. */
export const idOf = (placeholder: string, where: string): ValueKind<string> => ({
  placeholder,
  accepts: `an id ${where}`,
  parse: (value) => (id().safeParse(value).success ? value : undefined),
});

export const scopeList: ValueKind<readonly Scope[]> = {
  placeholder: 'SCOPES',
  accepts: `all, or one or more of ${scopes.join(', ')}, separated by commas`,
  parse(value) {
    if (value === 'all') return scopes;
    const named = new Set(value.split(',').map((name) => name.trim()));
    const known = scopes.filter((scope) => named.has(scope));
    return known.length === named.size ? known : undefined;
  },
  values: ['all', ...scopes],
};

/** A time in milliseconds since the epoch; a date without a time means the end of that day in UTC. */
export const futureTime: ValueKind<number> = {
  placeholder: 'DATE',
  accepts:
    'a future time: a date such as 2031-01-31 (to the end of that day, UTC) or a date-time such as 2031-01-31T18:00:00Z',
  parse(value) {
    const isDate = z.iso.date().safeParse(value).success;
    if (!isDate && !z.iso.datetime({ offset: true }).safeParse(value).success) return undefined;
    const at = Date.parse(isDate ? `${value}T23:59:59.999Z` : value);
    return at > systemClock.now() ? at : undefined;
  },
};

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A time in milliseconds since the epoch, given as an age, a date or a date-time; a date means its beginning in UTC.
 */
export const pastTime: ValueKind<number> = {
  placeholder: 'TIME',
  accepts:
    'a past time: 90m, 6h or 2d ago, a date such as 2026-01-31 (UTC) or a date-time such as 2026-01-31T18:00:00Z',
  parse(value) {
    const now = systemClock.now();
    const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(value) ?? [];
    if (count && unit) return now - Number(count) * unitMs[unit as keyof typeof unitMs];
    const isTime = z.iso.date().safeParse(value).success || z.iso.datetime({ offset: true }).safeParse(value).success;
    const at = isTime ? Date.parse(value) : Number.NaN;
    return at <= now ? at : undefined;
  },
};
