/** Models that Bedrock runs: one invocation at a time, bounded in time, its failures told apart. */
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import type { AwsAccess } from './aws-access.ts';
import { untilAborted } from './until-aborted.ts';

/** Only `input-refused` is the input's fault; `misconfigured` is the operator's, and the others may pass. */
export type InvocationFailureReason = 'input-refused' | 'misconfigured' | 'throttled' | 'unavailable' | 'timeout';

/** Tells a reason and the fault's name, never the model's own words: they may quote the input. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
  readonly reason: InvocationFailureReason;
  constructor(reason: InvocationFailureReason, fault?: string) {
    super(`the model was not invoked: ${reason}${fault === undefined ? '' : ` (${fault})`}`);
    this.reason = reason;
  }
}

export interface InvocationBounds {
  /** For the whole answer. */
  readonly timeoutMs: number;
}

export interface ModelRuntime {
  /**
   * Gives the answer of a model, parsed; the body is sent as JSON. A model's id is that of an inference profile or of a
   * foundation model. @throws InvocationFailed
   */
  invokeModel(modelId: string, body: unknown, bounds: InvocationBounds): Promise<unknown>;
}

/** Faults that are not here are Bedrock's own, and may pass. */
const reasons: Readonly<Record<string, InvocationFailureReason>> = {
  ValidationException: 'input-refused',
  AccessDeniedException: 'misconfigured',
  ResourceNotFoundException: 'misconfigured',
  UnrecognizedClientException: 'misconfigured',
  InvalidSignatureException: 'misconfigured',
  IncompleteSignatureException: 'misconfigured',
  MissingAuthenticationTokenException: 'misconfigured',
  ExpiredTokenException: 'misconfigured',
  CredentialsProviderError: 'misconfigured',
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
};

type Told = Readonly<Record<'name' | 'code' | 'message' | 'cause', unknown>>;

/**
 * A model that the account may not use, or that needs an inference profile: Bedrock calls that invalid input, too. What
 * it quotes of an input comes later in its sentences.
 */
const isOfModel = (message: string): boolean =>
  /^(the provided model|invocation of model ID|this action doesn.t support the model|operation not allowed)/i.test(
    message,
  );

/** A fault of the connection has its code in its cause. Names are words of a protocol, but only in the form of one. */
const faultIn = ({ cause, code, name }: Told): string | undefined =>
  [(Object(cause) as Told).code, code, name]
    .map(String)
    .find((word) => /^(E[A-Z]{3,20}|[A-Z][A-Za-z]{2,50}(Exception|Error))$/.test(word));

function failureOf(error: unknown): InvocationFailed {
  const told = Object(error) as Told;
  const [name, message] = [String(told.name), String(told.message)];
  if (name === 'ValidationException' && isOfModel(message)) return new InvocationFailed('misconfigured', faultIn(told));
  const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined;
  return new InvocationFailed(reason ?? 'unavailable', faultIn(told));
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new InvocationFailed('unavailable', 'SyntaxError');
  }
}

/** `region` is where the models are, which may not be where the service is; by default it is the same. */
export function bedrockRuntime(access: AwsAccess = {}): ModelRuntime {
  // Whoever asks tries again by a plan of its own. The client's repetition could be paid for twice.
  const client = new BedrockRuntimeClient({ maxAttempts: 1, ...access });

  const invoke = async (modelId: string, body: unknown, abortSignal: AbortSignal): Promise<Uint8Array> => {
    const contentType = 'application/json';
    const command = new InvokeModelCommand({ modelId, contentType, accept: contentType, body: JSON.stringify(body) });
    return (await client.send(command, { abortSignal })).body;
  };

  return {
    async invokeModel(modelId, body, { timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      // An answer that stands still in the middle would keep the client waiting whatever the signal says.
      const answer = await untilAborted(invoke(modelId, body, signal), signal).catch((error: unknown) => {
        throw signal.aborted ? new InvocationFailed('timeout') : failureOf(error);
      });
      return parsed(answer);
    },
  };
}
