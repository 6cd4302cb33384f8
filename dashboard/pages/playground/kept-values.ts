/** What was entered stays, when another operation or the other mode is chosen. */
import type * as z from 'zod';
import { exampleOf, type Field, type Values } from './fields.ts';

/** What a change of a form's values enters. */
export const enteredBy = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));

/** Things that only the live or only the test account of an owner has. */
const namesOfThings = ['productId', 'avatarId'];

/** The values that mean the same in the other mode: without its things, and without the addresses of its files. */
export function valuesOfMode(values: Values, isElsewhere: (url: string) => boolean): Values {
  const isKept = (value: unknown): boolean => typeof value !== 'string' || !isElsewhere(value);
  const entries = Object.entries(values).filter(([name, value]) => !namesOfThings.includes(name) && isKept(value));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.filter(isKept) : value]),
  );
}

interface Form {
  readonly body: z.ZodType;
  readonly example: { readonly body?: Values };
}

/** The values that the form of an operation begins with: what was entered before in fields that accept it, over its example. */
export function valuesToBeginWith({ body, example }: Form, fields: readonly Field[], entered: Values): Values {
  const { shape } = body as z.ZodObject;
  const isAccepted = (name: string): boolean => (shape[name] as z.ZodType).safeParse(entered[name]).success;
  const kept = fields.filter(({ name }) => entered[name] !== undefined && isAccepted(name));
  return { ...exampleOf(fields, example.body), ...Object.fromEntries(kept.map(({ name }) => [name, entered[name]])) };
}
