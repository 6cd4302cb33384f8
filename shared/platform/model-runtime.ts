/** Invokes models on Bedrock, with a time limit and classified failures. */
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import type { AwsAccess } from './aws-access.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Why an invocation failed. Only `input-rejected` is caused by the input; `misconfigured` is the operator's fault, and
 * the rest are temporary.
 */
export type InvocationFailureReason = 'input-rejected' | 'misconfigured' | 'throttled' | 'unavailable' | 'timeout';

/**
 * A failed invocation. Its message has a reason and the error's name, never the model's own text, which may quote the
 * input.
 */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
  readonly reason: InvocationFailureReason;
  constructor(reason: InvocationFailureReason, fault?: string) {
    super(`the model was not invoked: ${reason}${fault === undefined ? '' : ` (${fault})`}`);
    this.reason = reason;
  }
}

export interface InvocationBounds {
  /** The time limit of the whole response. */
  readonly timeoutMs: number;
}

export interface ModelRuntime {
  /**
   * Sends the body as JSON and returns the model's parsed response. The id is that of an inference profile or a
   * foundation model. @throws InvocationFailed
   */
  invokeModel(modelId: string, body: unknown, bounds: InvocationBounds): Promise<unknown>;
  /** Returns a language model's response. @throws InvocationFailed */
  converse(modelId: string, request: Conversation, bounds: InvocationBounds): Promise<unknown>;
}

type Conversation = Omit<ConverseCommandInput, 'modelId'>;

/** Maps error names to reasons; errors that are not listed are Bedrock's own and temporary. */
const reasons: Readonly<Record<string, InvocationFailureReason>> = {
  ValidationException: 'input-rejected',
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

type ErrorFields = Readonly<Record<'name' | 'code' | 'message' | 'cause', unknown>>;

/**
 * Whether an error is about the model: one that the account may not use or that needs an inference profile. Bedrock
 * reports both as invalid input. Only the start of a message is matched, because the rest may quote the input.
 */
const isOfModel = (message: string): boolean =>
  /^(the provided model|invocation of model ID|this action doesn.t support the model|operation not allowed)/i.test(
    message,
  );

/**
 * The code or name of an error; a connection error has its code in its cause. Other text may quote the input and is
 * dropped.
 */
const faultIn = ({ cause, code, name }: ErrorFields): string | undefined =>
  [(Object(cause) as ErrorFields).code, code, name]
    .map(String)
    .find((word) => /^(E[A-Z]{3,20}|[A-Z][A-Za-z]{2,50}(Exception|Error))$/.test(word));

function failureOf(error: unknown): InvocationFailed {
  const fields = Object(error) as ErrorFields;
  const [name, message] = [String(fields.name), String(fields.message)];
  if (name === 'ValidationException' && isOfModel(message))
    return new InvocationFailed('misconfigured', faultIn(fields));
  const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined;
  return new InvocationFailed(reason ?? 'unavailable', faultIn(fields));
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new InvocationFailed('unavailable', 'SyntaxError');
  }
}

/** Creates the runtime; `region` is the region of the models, by default that of the service. */
export function bedrockRuntime(access: AwsAccess = {}): ModelRuntime {
  // The client does not retry, because the caller does and a retry by the client could be billed twice.
  const client = new BedrockRuntimeClient({ maxAttempts: 1, ...access });

  const invoke = async (modelId: string, body: unknown, abortSignal: AbortSignal): Promise<Uint8Array> => {
    const contentType = 'application/json';
    const command = new InvokeModelCommand({ modelId, contentType, accept: contentType, body: JSON.stringify(body) });
    return (await client.send(command, { abortSignal })).body;
  };

  /** Enforces the time limit independently of the client, which ignores the signal if a response stalls midway. */
  const bounded = <Response>({ timeoutMs }: InvocationBounds, send: (signal: AbortSignal) => Promise<Response>) => {
    const signal = AbortSignal.timeout(timeoutMs);
    return untilAborted(send(signal), signal).catch((error: unknown) => {
      throw signal.aborted ? new InvocationFailed('timeout') : failureOf(error);
    });
  };

  return {
    invokeModel: async (modelId, body, bounds) =>
      parsed(await bounded(bounds, (signal) => invoke(modelId, body, signal))),
    converse: (modelId, request, bounds) =>
      bounded<unknown>(bounds, (abortSignal) =>
        client.send(new ConverseCommand({ modelId, ...request }), { abortSignal }),
      ),
  };
}
