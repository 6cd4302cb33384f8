/** Formats validation problems: one sentence each, beginning with the field's path. */
import type * as z from 'zod';
import { pathText } from '../contracts/user-addresses.ts';

export const sentence = (path: readonly PropertyKey[], message: string): string =>
  path.length > 0 ? `${pathText(path)} ${message}` : message;

export const problemsOf = (error: z.ZodError): string[] => [
  ...new Set(error.issues.map((issue) => sentence(issue.path, issue.message))),
];
