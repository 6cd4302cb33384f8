/** Requests tokens from Meta's APIs without a client library. */
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { authorizedHeaders, exchange, exchangeLimit } from '../exchange.ts';
import type { PageNetwork } from '../social-login.ts';
import { type GrantedToken, NetworkFault } from '../social-network.ts';
import { networkNames } from './graph-client.ts';
import { faultOf, lostFault } from './graph-fault.ts';

export interface TokenRequest {
  /** Some requests are documented only with secrets in the query, so the URL is neither logged nor quoted. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly bearer?: string;
}

/** A number of whole seconds; undefined if it is not plausible. */
export const Seconds = z
  .number()
  .min(0)
  .max(10 ** 10)
  .transform(Math.floor)
  .optional()
  .catch(undefined);

/** Meta states no length, and its tokens have some hundred characters; a longer one would not fit into a request's URL. */
export const AccessToken = z.string().regex(/^[\x21-\x7e]{1,2000}$/);

/** A token without a lifetime, or with one of 0 seconds, is treated as not expiring. */
export const Token = z.object({ access_token: AccessToken, expires_in: Seconds });

export const grantedToken = (
  { access_token: accessToken, expires_in: seconds }: z.infer<typeof Token>,
  clock: Clock,
): GrantedToken => ({ accessToken, ...(seconds && { expiresAt: clock.now() + seconds * 1000 }) });

const kind = { isWrite: false, isAboutPage: true };

/** Creates the function that requests tokens; `timeLimitMs` applies to each exchange. */
export const tokenRequester =
  (timeLimitMs = 10_000) =>
  async <Schema extends z.ZodType>(
    { channel, deadline }: Pick<PageNetwork, 'channel' | 'deadline'>,
    schema: Schema,
    { url, query, form, bearer }: TokenRequest,
  ): Promise<z.output<Schema>> => {
    const name = networkNames[channel];
    const response = await exchange(query ? `${url}?${new URLSearchParams(query).toString()}` : url, {
      method: form ? 'POST' : 'GET',
      signal: exchangeLimit(timeLimitMs, deadline),
      ...(form && { body: new URLSearchParams(form) }),
      ...(bearer !== undefined && { headers: authorizedHeaders(name, bearer, {}) }),
    }).catch((error: unknown) => {
      throw lostFault(name, error, kind);
    });
    if (response.status !== 200) throw faultOf(name, response, kind);
    const { data, error } = schema.safeParse(response.body);
    if (error) throw new NetworkFault('unavailable', `the response of ${name} cannot be read`);
    return data;
  };
