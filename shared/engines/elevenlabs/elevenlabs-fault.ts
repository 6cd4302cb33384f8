/** Maps ElevenLabs' documented errors to the service's failure codes. */
import * as z from 'zod';
import { jsonIn } from '../../platform/json-in.ts';
import type { EngineFailure } from '../engine.ts';

const Fault = z.object({
  detail: z.union([
    z.object({ code: z.string().optional(), status: z.string().optional(), type: z.string().optional() }),
    z.array(z.object({ type: z.string().optional() })).max(100),
    z.string(),
  ]),
});

/** Documented error codes; older responses have them in `status`. */
const codes = [
  'concurrent_limit_exceeded',
  'invalid_api_key',
  'invalid_parameters',
  'max_character_limit_exceeded',
  'quota_exceeded',
  'rate_limit_exceeded',
  'system_busy',
  'too_many_concurrent_requests',
  'validation_error',
  'voice_not_found',
] as const;

type Code = (typeof codes)[number];

/** The documented code in an error response; undefined if it has none. */
export const faultCodeIn = (text: string): Code | undefined => {
  const { detail } = Fault.safeParse(jsonIn(text)).data ?? {};
  if (typeof detail !== 'object' || Array.isArray(detail)) return undefined;
  return (
    codes.find((code) => code === detail.code) ?? codes.find((code) => [detail.status, detail.type].includes(code))
  );
};

export type Verdict = EngineFailure | 'busy' | 'temporary';

interface Response {
  readonly status: number;
  readonly code: Code | undefined;
  readonly isOwnVoice: boolean;
}

/**
 * Classifies a response without audio: the end of the job, a wait for a free slot, or a fault of the account or
 * provider.
 */
export const verdictOn = ({ status, code, isOwnVoice }: Response): Verdict => {
  if (status === 429) return 'busy';
  // If the service chose the voice, its retirement is not the client's fault.
  if (code === 'voice_not_found' || status === 404) return isOwnVoice ? 'PROVIDER_ERROR' : 'INPUT_INVALID';
  if (code === 'invalid_api_key' || code === 'quota_exceeded') return 'temporary';
  if ([400, 413, 415, 422].includes(status)) return 'INPUT_INVALID';
  return status >= 500 || [401, 402, 403, 408].includes(status) ? 'temporary' : 'PROVIDER_ERROR';
};
