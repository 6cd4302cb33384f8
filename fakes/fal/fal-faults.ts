/** Documented error responses of fal.ai: those of models, with a list of typed details, and those of the queue. */
import type { Reply } from '../api-server.ts';
import { words } from '../words.ts';

export type FalReply = Reply;

const modelFaultTypes = words(
  'content_policy_violation no_media_generated image_too_large image_too_small image_load_error file_download_error',
  'file_too_large face_detection_error unsupported_image_format unsupported_audio_format unsupported_video_format',
  'feature_not_supported invalid_archive sequence_too_long sequence_too_short video_duration_too_long',
  'video_duration_too_short audio_duration_too_long audio_duration_too_short one_of greater_than less_than missing',
  'value_error generation_timeout downstream_service_error',
);

const queueFaultTypes = words(
  'request_timeout startup_timeout runner_scheduling_failure runner_connection_timeout runner_disconnected',
  'runner_connection_refused runner_connection_error runner_incomplete_response runner_server_error',
  'client_disconnected client_cancelled bad_request internal_error',
);

export type ModelFaultType = (typeof modelFaultTypes)[number];
type QueueFaultType = (typeof queueFaultTypes)[number];
export type FalFaultType = ModelFaultType | QueueFaultType;

export const falFaultTypes: readonly FalFaultType[] = [...modelFaultTypes, ...queueFaultTypes];

const retryableTypes: readonly string[] = ['no_media_generated', 'generation_timeout', 'downstream_service_error'];

export interface FaultDetail {
  readonly type: ModelFaultType;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** An error response with at least one detail; the first one determines whether it may be retried. */
export const modelFault = (details: readonly FaultDetail[]): FalReply => {
  const type = details[0]?.type ?? 'value_error';
  return {
    status: 422,
    headers: { 'X-Fal-Retryable': String(retryableTypes.includes(type)) },
    body: { detail: details.map((detail) => ({ ...detail, url: `https://docs.fal.ai/errors#${detail.type}` })) },
  };
};

export const queueFault = (type: QueueFaultType, text = 'The request could not be served'): FalReply => ({
  status: type === 'bad_request' ? 400 : 500,
  headers: { 'X-Fal-Error-Type': type },
  body: { detail: text, error_type: type },
});

/** A rejection by the model's schema with an undocumented type, of which models return many. */
export const undocumentedFault: FalReply = {
  status: 422,
  headers: { 'X-Fal-Retryable': 'false' },
  body: { detail: [{ type: 'less_than_equal', loc: ['body', 'seed'], msg: 'Input should be less' }] },
};

const isQueueFault = (type: FalFaultType): type is QueueFaultType => queueFaultTypes.some((one) => one === type);

/** The error response that ends a job. */
export const faultReply = (type: FalFaultType): FalReply =>
  isQueueFault(type)
    ? queueFault(type)
    : modelFault([{ type, loc: ['body'], msg: `This request ended with ${type}, as requested.` }]);

/** Thrown by the fake's models if an input is unusable. */
export class FalFault extends Error {
  override readonly name = 'FalFault';
  readonly type: FalFaultType;

  constructor(type: FalFaultType) {
    super(type);
    this.type = type;
  }
}
