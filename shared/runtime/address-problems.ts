/**
 * Formats the problems of URLs in a body; imported only by functions whose bodies contain URLs, because the URL policy
 * is large.
 */
import type * as z from 'zod';
import { uploadIdIn } from '../contracts/uploads.ts';
import { urlExpectation } from '../contracts/url-fields.ts';
import { addressesIn, type UserAddress } from '../contracts/user-addresses.ts';
import type { Settings } from '../platform/settings.ts';
import { parseUserUrl, type UrlPolicy } from '../platform/url-policy.ts';
import { sentence } from './validation.ts';

const expectationUnder: Readonly<Record<UrlPolicy, string>> = {
  public: urlExpectation,
  local: `${urlExpectation}, or http://127.0.0.1:<port> or http://localhost:<port>`,
};

/** An upload's URL belongs to the service itself, so it need not be on a public host. */
const isUpload = ({ leadsTo, text }: UserAddress, settings: Pick<Settings, 'apiUrl'>): boolean =>
  leadsTo !== 'receiver' && uploadIdIn(settings.apiUrl, text) !== undefined;

/** The URLs in a valid value that the URL policy rejects; uploads are exempt. */
export const addressProblems = (
  schema: z.ZodType,
  value: unknown,
  settings: Pick<Settings, 'apiUrl' | 'urlPolicy'>,
): string[] =>
  [...addressesIn(schema, value)]
    .filter((address) => parseUserUrl(address.text, settings.urlPolicy) === undefined && !isUpload(address, settings))
    .map(({ path }) => sentence(path, expectationUnder[settings.urlPolicy]));
