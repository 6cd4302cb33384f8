/** Counts all requests to this process's substitutes for SQS, S3 and KMS. */
import diagnosticsChannel from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

export interface RequestCounter {
  /** The requests' names in order of their start: `SQS SendMessage`, `S3 PUT`, … */
  readonly requests: readonly string[];
  close(): void;
}

const services: Readonly<Record<string, string>> = { AmazonSQS: 'SQS', TrentService: 'KMS' };

/** The name of a request; only S3 has no `X-Amz-Target`. */
function nameOf({ headers, method }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  if (target === undefined) return `S3 ${method}`;
  const [service = '', operation = ''] = String(target).split('.');
  return `${services[service] ?? service} ${operation}`;
}

/** Counts requests to the given addresses. */
export function requestCounter(urls: readonly string[]): RequestCounter {
  const ports = new Set(urls.map((url) => Number(new URL(url).port)));
  const requests: string[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (ports.has(request.socket.localPort ?? 0)) requests.push(nameOf(request));
  };
  diagnosticsChannel.subscribe('http.server.request.start', note);
  return {
    requests,
    close() {
      diagnosticsChannel.unsubscribe('http.server.request.start', note);
    },
  };
}
