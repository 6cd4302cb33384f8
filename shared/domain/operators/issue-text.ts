/** Messages for invalid catalog values, where the schema's own message is not helpful. */
import type * as z from 'zod';

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

function bound(origin: string, limit: string, value: number | bigint): string {
  const unit = units[origin];
  return unit ? `must have ${limit} ${value} ${unit[value === 1 ? 0 : 1]}` : `must be ${limit} ${value}`;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

const expectedKind = (kind: string): string => kinds[kind] ?? `a ${kind}`;

/** The message; undefined to use the schema's own. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${expectedKind(issue.expected)}`;
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum);
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time in UTC, such as 2027-01-01T00:00:00Z' : undefined;
    default:
      return undefined;
  }
}
