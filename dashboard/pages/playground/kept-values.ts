/** Keeps the entered values when the user chooses another operation or the other mode. */
import type * as z from 'zod';
import { exampleOf, type Field, type Values } from './fields.ts';

/** The values that a change of a form has entered. */
export const enteredBy = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));

/** Fields with ids that exist only in the live account or only in the test account of an owner. */
const namesOfThings = ['productId', 'avatarId'];

/** The values that are valid in the other mode: without ids and files, which the two modes do not share. */
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

/** The initial values of an operation's form: its example, replaced by earlier entries in fields that accept them. */
export function valuesToBeginWith({ body, example }: Form, fields: readonly Field[], entered: Values): Values {
  const { shape } = body as z.ZodObject;
  const isAccepted = (name: string): boolean => (shape[name] as z.ZodType).safeParse(entered[name]).success;
  const kept = fields.filter(({ name }) => entered[name] !== undefined && isAccepted(name));
  return { ...exampleOf(fields, example.body), ...Object.fromEntries(kept.map(({ name }) => [name, entered[name]])) };
}
