/** Assigns the problems of a request to the fields that they are about. */
import type * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { Field, Values } from './fields.ts';

/** Messages by field name; those that name no field are in `''`. */
export type Problems = Readonly<Record<string, string>>;

/** The service lists all problems of a request in one message; each begins with the path of its field. */
function problemsIn(message: string, fields: readonly Field[]): Problems {
  const problems: Record<string, string> = {};
  for (const part of message.split('; ')) {
    const path = /^[A-Za-z]+/.exec(part)?.[0] ?? '';
    const name = fields.some((field) => field.name === path) ? path : '';
    const said = name === '' ? part : part.slice(name.length).trim();
    problems[name] = problems[name] === undefined ? said : `${problems[name]}; ${said}`;
  }
  return problems;
}

/** The problems that the service found; undefined if the error is about something else. */
export const problemsOf = (error: unknown, fields: readonly Field[]): Problems | undefined =>
  error instanceof ApiError && error.status === 400 ? problemsIn(error.message, fields) : undefined;

/** The problems that the contract finds; a rule of several fields names one of them. */
export function foundProblems(schema: z.ZodType, body: Values, fields: readonly Field[]): Problems {
  const issues = schema.safeParse(body).error?.issues ?? [];
  return Object.assign(
    {},
    ...issues.map(({ path: [name], message }) =>
      name === undefined ? problemsIn(message, fields) : { [String(name)]: message },
    ),
  );
}
