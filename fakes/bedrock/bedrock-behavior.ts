/** How the fake handles an invocation: successfully, or in one of the ways in which models and networks fail. */
import { type Answer, html, type Reply } from '../api-server.ts';

/** The documented errors of Bedrock's runtime, and those of all AWS services, with their HTTP statuses. */
const statuses = {
  AccessDeniedException: 403,
  InternalServerException: 500,
  ModelErrorException: 424,
  ModelNotReadyException: 429,
  ModelTimeoutException: 408,
  ResourceNotFoundException: 404,
  ServiceQuotaExceededException: 400,
  ServiceUnavailableException: 503,
  ThrottlingException: 429,
  ValidationException: 400,
  MissingAuthenticationTokenException: 403,
  UnknownOperationException: 404,
} as const;

export const fault = (type: keyof typeof statuses, message = `The request failed with ${type}.`): Reply => ({
  status: statuses[type],
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  body: { message },
});

export const success = (body: unknown): Reply => ({ status: 200, body });

export const unknownModel = fault('ValidationException', 'The provided model identifier is invalid.');

/** Thrown for an invalid input; the message says what is wrong. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}

const reason = (text: string) => success({ finish_reasons: [text] });

/** The outcome for each word that can be in a prompt. */
const outcomes: Readonly<Record<string, Answer>> = {
  'filtered-prompt': reason('Filter reason: prompt'),
  'filtered-input': reason('Filter reason: input image'),
  'filtered-output': reason('Filter reason: output image'),
  'inference-error': reason('Inference error'),
  'new-reason': reason('An undocumented reason'),
  'no-image': success({ seeds: [1], finish_reasons: [null], images: [Buffer.from('no image').toString('base64')] }),
  'no-images': success({ seeds: [1], finish_reasons: [null], images: [] }),
  'other-form': success({ artifacts: [] }),
  'no-json': html(200, '<html>'),
  throttled: fault('ThrottlingException', 'Too many requests, please wait before trying again.'),
  quota: fault('ServiceQuotaExceededException'),
  unavailable: fault('ServiceUnavailableException'),
  'internal-error': fault('InternalServerException'),
  'model-error': fault('ModelErrorException'),
  'model-not-ready': fault('ModelNotReadyException'),
  'model-timeout': fault('ModelTimeoutException'),
  invalid: fault('ValidationException', 'Malformed input request: “the provided model” was requested.'),
  'wrong-model': unknownModel,
  'needs-profile': fault(
    'ValidationException',
    'Invocation of model ID stability.any-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
  ),
  'not-allowed': fault('ValidationException', 'Operation not allowed'),
  denied: fault('AccessDeniedException', 'You do not have access to the model with the specified model ID.'),
  missing: fault('ResourceNotFoundException', 'This model version has reached the end of its life.'),
  gateway: html(502, 'upstream connect error'),
  hang: 'hang',
  stall: { ...success({ seeds: [1] }), half: 'hang' },
};

/** The outcome that a prompt requests with a word such as `[bedrock:throttled]`; undefined for success. */
export const requestedOutcome = (prompt: unknown): Answer | undefined => {
  const [, word = ''] = /\[bedrock:([a-z-]+)\]/.exec(String(prompt)) ?? [];
  return Object.hasOwn(outcomes, word) ? outcomes[word] : undefined;
};
