/** Formats validation problems: one sentence each, beginning with the field's path. */
import type * as z from 'zod';
import { urlExpectation } from '../contracts/fields.ts';
import { addressesIn, pathText } from '../contracts/user-addresses.ts';
import { parseUserUrl, type UrlPolicy } from '../platform/url-policy.ts';

const sentence = (path: readonly PropertyKey[], message: string): string =>
  path.length > 0 ? `${pathText(path)} ${message}` : message;

export const problemsOf = (error: z.ZodError): string[] => [
  ...new Set(error.issues.map((issue) => sentence(issue.path, issue.message))),
];

const expectationUnder: Readonly<Record<UrlPolicy, string>> = {
  public: urlExpectation,
  local: `${urlExpectation}, or http://127.0.0.1:<port> or http://localhost:<port>`,
};

/** The URLs in a valid value that the URL policy rejects. */
export const addressProblems = (schema: z.ZodType, value: unknown, policy: UrlPolicy): string[] =>
  [...addressesIn(schema, value)]
    .filter(({ text }) => parseUserUrl(text, policy) === undefined)
    .map(({ path }) => sentence(path, expectationUnder[policy]));
