/** Classifies errors of the Graph API: whether anything was done, and whether a retry may help. */
import * as z from 'zod';
import type { GatewayResponse } from '../exchange.ts';
import { type FaultReason, NetworkFault } from '../social-network.ts';
import { regainSeconds } from './graph-usage.ts';

const known = <Value extends z.ZodType>(value: Value) => value.optional().catch(undefined);

const Failure = z.object({
  error: z.object({
    code: z.int(),
    error_subcode: known(z.int()),
    is_transient: known(z.boolean()),
  }),
});

export interface RequestKind {
  readonly isWrite: boolean;
  /**
   * Whether the request was about the page itself, so that a missing permission concerns the page and not a single
   * object.
   */
  readonly isAboutPage: boolean;
}

const throttling = new Set([4, 17, 32, 341, 613]);

/** Whether an error code means throttling; business use cases have codes of their own. */
const isThrottling = (code: number): boolean => throttling.has(code) || (code >= 80_000 && code <= 80_014);

/** The error for a reply more than 24 hours after the participant's last message, on Instagram and on Messenger. */
const windowSubcodes = new Set([2_534_022, 2_018_278]);

const isPermission = (code: number): boolean => code === 3 || code === 10 || (code >= 200 && code <= 299);

/** Error subcode 33: the object does not exist or belongs to another page. 2018001: the recipient does not exist. */
const missingSubcodes = new Set([33, 2_018_001]);

const tokenCodes = new Set([102, 190]);

function reasonOf(status: number, body: unknown, { isWrite, isAboutPage }: RequestKind): FaultReason {
  const failed = isWrite ? 'unknown-outcome' : 'unavailable';
  const { code, error_subcode: subcode = 0, is_transient: isTransient } = Failure.safeParse(body).data?.error ?? {};
  if (status === 429) return 'throttled';
  if (code === undefined) return status >= 400 && status < 500 ? 'rejected' : failed;
  if (tokenCodes.has(code)) return 'revoked';
  if (isThrottling(code)) return 'throttled';
  if (windowSubcodes.has(subcode)) return 'window-closed';
  if (isPermission(code)) return isAboutPage ? 'revoked' : 'rejected';
  if (code === 803 || (code === 100 && missingSubcodes.has(subcode))) return 'not-found';
  if (status >= 500 || isTransient || code === 1 || code === 2) return failed;
  return status === 404 ? 'not-found' : 'rejected';
}

/** The error's codes only, because messages may quote customers. */
function codesIn(body: unknown): readonly number[] {
  const { code, error_subcode: subcode } = Failure.safeParse(body).data?.error ?? {};
  return [code, subcode].filter((one) => one !== undefined);
}

export function faultOf(network: string, response: GatewayResponse, kind: RequestKind): NetworkFault {
  const { status, body, headers } = response;
  const reason = reasonOf(status, body, kind);
  const message = `${network} responded with ${[status, ...codesIn(body)].join(', ')}`;
  const retryAfterSeconds = reason === 'throttled' ? regainSeconds(headers) : undefined;
  return new NetworkFault(reason, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** Errors with which no connection was established, so nothing was sent. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** The fault of a failed exchange. Keeps only a system code, because the error's message may quote the request. */
export function lostFault(network: string, error: unknown, { isWrite }: RequestKind): NetworkFault {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const code = String((Object(cause) as { readonly code?: unknown }).code);
  const wasSent = !unsent.has(code);
  const detail = /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : 'no response';
  return new NetworkFault(isWrite && wasSent ? 'unknown-outcome' : 'unavailable', `${network} failed: ${detail}`);
}
