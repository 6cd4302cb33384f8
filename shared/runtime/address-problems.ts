/** Formats the problems of URLs in a body: only functions whose bodies contain URLs import the policy that decides. */
import type * as z from 'zod';
import { urlExpectation } from '../contracts/fields.ts';
import { addressesIn } from '../contracts/user-addresses.ts';
import { parseUserUrl, type UrlPolicy } from '../platform/url-policy.ts';
import { sentence } from './validation.ts';

const expectationUnder: Readonly<Record<UrlPolicy, string>> = {
  public: urlExpectation,
  local: `${urlExpectation}, or http://127.0.0.1:<port> or http://localhost:<port>`,
};

/** The URLs in a valid value that the URL policy rejects. */
export const addressProblems = (schema: z.ZodType, value: unknown, policy: UrlPolicy): string[] =>
  [...addressesIn(schema, value)]
    .filter(({ text }) => parseUserUrl(text, policy) === undefined)
    .map(({ path }) => sentence(path, expectationUnder[policy]));
