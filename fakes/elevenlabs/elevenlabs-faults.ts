/** The error responses that ElevenLabs documents. */
import type { Reply } from '../api-server.ts';

const faults = {
  invalid_parameters: { status: 422, type: 'validation_error' },
  max_character_limit_exceeded: { status: 400, type: 'validation_error' },
  voice_not_found: { status: 400, type: 'not_found' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  // ElevenLabs responds to an exceeded quota with 401, not with 402 or 403.
  quota_exceeded: { status: 401, type: 'authentication_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  concurrent_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  system_busy: { status: 429, type: 'rate_limit_error' },
  // An error code of older responses.
  too_many_concurrent_requests: { status: 429, type: undefined },
  internal_server_error: { status: 500, type: 'internal_error' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly type: string | undefined }>>;

export type ElevenLabsFaultCode = keyof typeof faults;

/** An error response; `status` repeats the code under its older name. */
export const faultReply = (code: ElevenLabsFaultCode, message = `The request failed: ${code}.`): Reply => {
  const { status, type } = faults[code];
  const detail = type ? { type, code, message, status: code, request_id: 'r1' } : { status: code, message };
  return { status, body: { detail } };
};

/** FastAPI's response to a body of the wrong form. */
export const formFault = (field: string): Reply => ({
  status: 422,
  body: { detail: [{ loc: ['body', field], msg: 'field required', type: 'missing' }] },
});
