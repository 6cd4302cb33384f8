/** Sends a text that describes the API: to be checked for a newer one each time, and under a request id like all else. */
import type { ServerResponse } from 'node:http';

export function sendDocument(
  response: ServerResponse,
  requestId: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, {
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...headers,
  });
  response.end(text);
}
