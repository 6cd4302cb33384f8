/** Parses responses of gateways. */
import type * as z from 'zod';

/** The error if a gateway has responded, but not as documented. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';
}

/** Parses a response; the error names invalid attributes but never quotes their values. @throws {UnexpectedResponse} */
export function parseResponse<Schema extends z.ZodType>(
  gateway: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const problems = error.issues.slice(0, 5).map(({ code, path }) => `${path.join('.')} (${code})`);
  throw new UnexpectedResponse(`${gateway}'s response cannot be read: ${problems.join(', ')}`);
}
