/** The gateway's responses: a function's result, or an error envelope of its own. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { errorBody } from '../../../shared/contracts/envelope.ts';
import { errors } from '../../../shared/contracts/errors.ts';
import { envelopeHeaders, type GatewayErrorName, gatewayErrors } from '../../../shared/contracts/gateway.ts';

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The same envelope as gateway responses on AWS: never cached, with a request id and without CORS headers. */
export function gatewayResponse(name: GatewayErrorName, requestId: string): GatewayResponse {
  const { code, message } = gatewayErrors[name];
  const body = errorBody(code, message);
  return {
    status: errors[code].status,
    headers: {
      'X-Request-Id': requestId,
      ...envelopeHeaders,
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
}

const headerValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const proxyResult = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Headers of the connection, which functions cannot set. */
const connectionHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Sends a function's result. @throws {Error} if it is not a proxy result; nothing has then been sent */
export function sendProxyResult(response: ServerResponse, returned: unknown): void {
  const result = proxyResult.parse(returned);
  const headers = Object.entries({ ...result.headers, ...result.multiValueHeaders });
  for (const [name, value] of headers) if (!connectionHeaders.has(name.toLowerCase())) response.setHeader(name, value);
  response.statusCode = result.statusCode;
  response.end(Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'));
}

/**
 * Sends a response in place of any prepared one. If one has already begun, closes the connection instead, so that it is
 * not mistaken for a complete one.
 */
export function sendGatewayResponse(response: ServerResponse, { status, headers, body }: GatewayResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, headers).end(body);
}
