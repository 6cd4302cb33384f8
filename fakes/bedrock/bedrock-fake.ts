/**
 * A local fake of the Amazon Bedrock runtime. It follows the documented protocol of InvokeModel, so that the adapters in
 * shared/engines/bedrock and shared/text-writers/bedrock and the AWS SDK can be tested without an account.
 *
 * - `POST /model/{modelId}/invoke` takes a model's body and returns `{ seeds, finish_reasons, images }`; the images
 *   are small but real: a plain one for a prompt, one with its background removed, one four times as large.
 * - `POST /model/{modelId}/converse` takes a conversation with images and returns the text of a language model.
 * - A body that a model does not accept is a ValidationException; errors have their type in `x-amzn-errortype`.
 * - Requests must be signed, but the fake does not verify signatures.
 * - It speaks HTTP/2 without TLS, as the AWS SDK does with Bedrock when the endpoint's URL begins with `http:`.
 *
 * Two things are assumed, because they are undocumented: that unknown fields are rejected, and the text of the error
 * messages.
 *
 * A word such as `[bedrock:throttled]` in a prompt makes an invocation fail: bedrock-behavior.ts lists them.
 */
import { jsonIn } from '../../shared/platform/json-in.ts';
import { type Answer, type ApiRequest, type ApiServer, startApiServer } from '../api-server.ts';
import { fault, InvalidInput, requestedOutcome, success, unknownModel } from './bedrock-behavior.ts';
import { bedrockModels } from './bedrock-models.ts';
import { conversation } from './converse.ts';

/** An invocation as the fake received it. */
export interface BedrockFakeRequest extends Pick<ApiRequest, 'headers'> {
  readonly modelId: string;
  readonly body: unknown;
}

/** The fake's base URL, which is the value for `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`. */
export interface BedrockFake extends Omit<ApiServer, 'port'> {
  /** The invocations that the fake received, oldest first. */
  readonly requests: readonly BedrockFakeRequest[];
}

const maxBodyBytes = 25_000_000;

/** A signature or a bearer token; the fake verifies neither. */
const isSigned = ({ authorization = '' }: ApiRequest['headers']): boolean =>
  /^(AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, |Bearer \S)/.test(authorization);

async function invocation(modelId: string, act: string | undefined, body: unknown): Promise<Answer> {
  if (act === 'converse') return conversation(modelId, body);
  const model = Object.hasOwn(bedrockModels, modelId) ? bedrockModels[modelId] : undefined;
  if (!model) return unknownModel;
  // Validates the input before the requested outcome applies.
  const image = Buffer.from(await model(body)).toString('base64');
  const { prompt } = Object(body) as { readonly prompt?: unknown };
  return requestedOutcome(prompt) ?? success({ seeds: [2_130_420_379], finish_reasons: [null], images: [image] });
}

export const startBedrockFake = async (): Promise<BedrockFake> => {
  const requests: BedrockFakeRequest[] = [];
  async function answer({ method, path, headers, body: text, bytes }: ApiRequest): Promise<Answer> {
    const [, modelId = '', act] = /^\/model\/([^/]+)\/(invoke|converse)$/.exec(path) ?? [];
    if (method !== 'POST' || !modelId) return fault('UnknownOperationException');
    const request = { modelId: decodeURIComponent(modelId), headers, body: jsonIn(text) };
    requests.push(request);
    if (!isSigned(headers)) return fault('MissingAuthenticationTokenException', 'Missing Authentication Token');
    if (bytes.length > maxBodyBytes) return fault('ValidationException', `The body exceeds ${maxBodyBytes} bytes`);
    return invocation(request.modelId, act, request.body).catch((error: unknown) => {
      if (error instanceof InvalidInput) return fault('ValidationException', error.message);
      throw error;
    });
  }
  const server = await startApiServer({ isHttp2: true, answer });
  return { ...server, requests };
};
