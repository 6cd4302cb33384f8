/** The fake's HTTP interface: authentication, the model's id, and the responses. */
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type BedrockOutcome, type OutcomeName, outcomeOf } from './bedrock-behavior.ts';
import { type BedrockReply, faultReply, InvalidInput } from './bedrock-faults.ts';
import { bedrockModels } from './bedrock-models.ts';
import { conversation } from './converse.ts';

/** An invocation as received. */
export interface BedrockFakeRequest {
  readonly modelId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body, or a string if it is not JSON. */
  readonly body: unknown;
}

interface BedrockHttpOptions {
  readonly outcome?: OutcomeName;
  /** The latest invocations. */
  readonly requests: BedrockFakeRequest[];
}

const keptRequests = 100;
/** The size limit of a body. */
const maxBodyBytes = 25_000_000;

const bodyOf = async (request: Http2ServerRequest): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // A body that is too long is read to its end without being stored, so that the client receives the response.
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  if (bytes > maxBodyBytes) throw new InvalidInput(`The body cannot exceed ${maxBodyBytes} bytes`);
  return Buffer.concat(chunks).toString('utf8');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A signature or a bearer token; the fake verifies neither. */
const isSigned = ({ authorization = '' }: BedrockFakeRequest['headers']): boolean =>
  /^(AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, |Bearer \S)/.test(authorization);

const success = (image: Uint8Array): BedrockReply => {
  const images = [Buffer.from(image).toString('base64')];
  return { status: 200, text: JSON.stringify({ seeds: [2_130_420_379], finish_reasons: [null], images }) };
};

const invocation = async (
  request: BedrockFakeRequest,
  act: string | undefined,
  outcome?: OutcomeName,
): Promise<BedrockOutcome> => {
  const { modelId, headers, body } = request;
  if (!isSigned(headers)) return faultReply('MissingAuthenticationTokenException', 'Missing Authentication Token');
  if (act === 'converse') return conversation(modelId, body);
  const model = Object.hasOwn(bedrockModels, modelId) ? bedrockModels[modelId] : undefined;
  if (!model) return faultReply('ValidationException', 'The provided model identifier is invalid.');
  // Validates the input before the requested outcome applies.
  const image = await model(body);
  return outcomeOf(body, outcome) ?? success(image);
};

const replyTo = async (
  request: Http2ServerRequest,
  { outcome, requests }: BedrockHttpOptions,
): Promise<BedrockOutcome> => {
  const body = parsed(await bodyOf(request));
  const [, modelId = '', act] = /^\/model\/([^/]+)\/(invoke|converse)$/.exec(request.url) ?? [];
  if (request.method !== 'POST' || !modelId) return faultReply('UnknownOperationException');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const seen = { modelId: decodeURIComponent(modelId), headers, body };
  requests.push(seen);
  requests.splice(0, requests.length - keptRequests);
  return invocation(seen, act, outcome);
};

const send = (response: Http2ServerResponse, ending: BedrockOutcome): void => {
  if (ending === 'hang') return;
  if (ending === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"seeds":[1],');
    return;
  }
  const { status, headers, text } = ending;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
};

const failure = (error: unknown, request: Http2ServerRequest): BedrockOutcome => {
  if (error instanceof InvalidInput) return faultReply('ValidationException', error.message);
  if (!request.aborted) console.error('The Bedrock fake failed to handle a request:', error);
  return faultReply('InternalServerException');
};

export const bedrockHttp = (options: BedrockHttpOptions) => {
  const respond = async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const ending = await replyTo(request, options).catch((error: unknown) => failure(error, request));
    send(response, ending);
  };
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => void respond(request, response);
};
