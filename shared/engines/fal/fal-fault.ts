/** Maps fal.ai's documented errors to the service's failure codes. */
import * as z from 'zod';
import type { ProviderResponse } from '../../platform/bounded-exchange.ts';
import { jsonIn } from '../../platform/json-in.ts';
import type { EngineFailure, EngineOutcome } from '../engine.ts';

/**
 * Documented error types of models and of the queue. Models use further types for schema errors: with status 422 they
 * reject the input, with any other status the provider is to blame.
 */
const failures = {
  content_policy_violation: 'CONTENT_REJECTED',
  // `no_media_generated` is nearly always a content rejection; if it counted as the provider's fault, users' prompts
  // could open the circuit.
  no_media_generated: 'CONTENT_REJECTED',
  file_download_error: 'DOWNLOAD_FAILED',
  image_too_large: 'INPUT_INVALID',
  image_too_small: 'INPUT_INVALID',
  image_load_error: 'INPUT_INVALID',
  file_too_large: 'INPUT_INVALID',
  face_detection_error: 'INPUT_INVALID',
  unsupported_image_format: 'INPUT_INVALID',
  unsupported_audio_format: 'INPUT_INVALID',
  unsupported_video_format: 'INPUT_INVALID',
  feature_not_supported: 'INPUT_INVALID',
  invalid_archive: 'INPUT_INVALID',
  sequence_too_long: 'INPUT_INVALID',
  sequence_too_short: 'INPUT_INVALID',
  video_duration_too_long: 'INPUT_INVALID',
  video_duration_too_short: 'INPUT_INVALID',
  audio_duration_too_long: 'INPUT_INVALID',
  audio_duration_too_short: 'INPUT_INVALID',
  one_of: 'INPUT_INVALID',
  greater_than: 'INPUT_INVALID',
  less_than: 'INPUT_INVALID',
  missing: 'INPUT_INVALID',
  value_error: 'INPUT_INVALID',
  generation_timeout: 'PROVIDER_TIMEOUT',
  request_timeout: 'PROVIDER_TIMEOUT',
  startup_timeout: 'PROVIDER_TIMEOUT',
  runner_scheduling_failure: 'PROVIDER_ERROR',
  runner_connection_timeout: 'PROVIDER_ERROR',
  runner_disconnected: 'PROVIDER_ERROR',
  runner_connection_refused: 'PROVIDER_ERROR',
  runner_connection_error: 'PROVIDER_ERROR',
  runner_incomplete_response: 'PROVIDER_ERROR',
  runner_server_error: 'PROVIDER_ERROR',
  client_disconnected: 'PROVIDER_ERROR',
  client_cancelled: 'PROVIDER_ERROR',
  downstream_service_error: 'PROVIDER_ERROR',
  bad_request: 'PROVIDER_ERROR',
  internal_error: 'PROVIDER_ERROR',
} as const satisfies Readonly<Record<string, EngineFailure>>;

type FaultType = keyof typeof failures;

export const documentedFaultTypes: readonly string[] = Object.keys(failures);

const isDocumented = (type: string): type is FaultType => Object.hasOwn(failures, type);

/** The order in which codes are preferred when there are several errors: the most informative for the client first. */
const byWeight = [
  'CONTENT_REJECTED',
  'DOWNLOAD_FAILED',
  'INPUT_INVALID',
  'PROVIDER_TIMEOUT',
  'PROVIDER_ERROR',
] as const;

/** How many details of a fault are read. */
const mostDetails = 100;

const FaultBody = z.object({
  detail: z.union([
    z.string(),
    z
      .array(z.unknown())
      .transform((details) => details.slice(0, mostDetails))
      .pipe(z.array(z.object({ type: z.string().optional() }))),
  ]),
  error_type: z.string().nullish(),
});

export interface FalFault {
  /** Whether the error has a documented form, so that it is the job's end and not a transport problem. */
  readonly isDefinite: boolean;
  readonly types: readonly FaultType[];
}

interface FaultSource {
  readonly status: number | undefined;
  /** The parsed error body, `{ detail }`. */
  readonly body: unknown;
  /** The error type from elsewhere: a header, or a field next to the body. */
  readonly errorType?: string | null | undefined;
}

export const faultIn = ({ status, body, errorType }: FaultSource): FalFault => {
  const parsed = FaultBody.safeParse(body).data;
  const named = [errorType, parsed?.error_type].filter((type) => typeof type === 'string');
  const detailed = Array.isArray(parsed?.detail) ? parsed.detail.map(({ type = '' }) => type) : [];
  const types = [...new Set([...detailed, ...named])].filter(isDocumented);
  // At fal.ai, status 422 is always a rejection of the input, even with an undocumented type or plain text.
  if (types.length === 0 && status === 422) return { isDefinite: true, types: ['value_error'] };
  return { isDefinite: parsed !== undefined || types.length > 0, types };
};

export const faultOfResponse = ({ status, headers, text }: ProviderResponse): FalFault =>
  faultIn({ status, body: jsonIn(text), errorType: headers.get('x-fal-error-type') });

export const failed = (code: EngineFailure): EngineOutcome => ({ status: 'failed', code });

export const outcomeOf = ({ types }: FalFault): EngineOutcome => {
  const codes = new Set(types.map((type) => failures[type]));
  return failed(byWeight.find((code) => codes.has(code)) ?? 'PROVIDER_ERROR');
};

/**
 * An error with only the status and documented types, because a response's text may be long and may quote the request.
 */
export const unexpectedResponse = (act: string, response: ProviderResponse): Error => {
  const { types } = faultOfResponse(response);
  return new Error(
    `fal.ai responded with ${response.status} to ${act}${types.length > 0 ? ` (${types.join(', ')})` : ''}`,
  );
};
