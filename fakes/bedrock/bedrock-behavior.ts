/** How the fake handles an invocation: successfully, or in one of the ways in which models and networks fail. */
import { type BedrockFaultType, type BedrockReply, faultReply } from './bedrock-faults.ts';

/** The response, or no complete one: `stall` begins a response and never ends it. */
export type BedrockOutcome = BedrockReply | 'hang' | 'stall';

const success = (body: unknown): BedrockReply => ({ status: 200, text: JSON.stringify(body) });
const reason = (text: string) => success({ finish_reasons: [text] });
const fault = (type: BedrockFaultType, message?: string) => faultReply(type, message);

/** Outcomes by the word that requests them. */
const outcomes = {
  'filtered-prompt': reason('Filter reason: prompt'),
  'filtered-input': reason('Filter reason: input image'),
  'filtered-output': reason('Filter reason: output image'),
  'inference-error': reason('Inference error'),
  'new-reason': reason('An undocumented reason'),
  'no-image': success({ seeds: [1], finish_reasons: [null], images: [Buffer.from('no image').toString('base64')] }),
  'no-images': success({ seeds: [1], finish_reasons: [null], images: [] }),
  'other-form': success({ artifacts: [] }),
  'no-json': { status: 200, text: '<html>' },
  throttled: fault('ThrottlingException', 'Too many requests, please wait before trying again.'),
  quota: fault('ServiceQuotaExceededException'),
  unavailable: fault('ServiceUnavailableException'),
  'internal-error': fault('InternalServerException'),
  'model-error': fault('ModelErrorException'),
  'model-not-ready': fault('ModelNotReadyException'),
  'model-timeout': fault('ModelTimeoutException'),
  invalid: fault('ValidationException', 'Malformed input request: “the provided model” was requested.'),
  'wrong-model': fault('ValidationException', 'The provided model identifier is invalid.'),
  'needs-profile': fault(
    'ValidationException',
    'Invocation of model ID stability.any-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
  ),
  'not-allowed': fault('ValidationException', 'Operation not allowed'),
  denied: fault('AccessDeniedException', 'You do not have access to the model with the specified model ID.'),
  missing: fault('ResourceNotFoundException', 'This model version has reached the end of its life.'),
  gateway: { status: 502, text: 'upstream connect error' },
  hang: 'hang',
  stall: 'stall',
} as const satisfies Readonly<Record<string, BedrockOutcome>>;

export type OutcomeName = keyof typeof outcomes;

const isOutcomeName = (word: string): word is OutcomeName => Object.hasOwn(outcomes, word);

/** The outcome that a prompt requests with a word such as `[bedrock:throttled]`. */
const requestedOutcome = (body: unknown): OutcomeName | undefined => {
  const { prompt } = Object(body) as { readonly prompt?: unknown };
  const [, word = ''] = /\[bedrock:([a-z-]+)\]/.exec(String(prompt)) ?? [];
  return isOutcomeName(word) ? word : undefined;
};

/** The requested or default failure; undefined for success. */
export const outcomeOf = (body: unknown, otherwise?: OutcomeName): BedrockOutcome | undefined => {
  const outcome = requestedOutcome(body) ?? otherwise;
  return outcome && outcomes[outcome];
};
