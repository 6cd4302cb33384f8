/** One HTTP request on its way through the service, and what is known of it so far. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { OperationContract } from '../contracts/operation.ts';
import type { Idempotency } from '../domain/idempotency/idempotency.ts';
import type { Context, Ports } from './context.ts';
import type { Caller } from './operation-types.ts';

export interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly idempotency: Idempotency | undefined;
}

export interface Exchange {
  readonly contract: OperationContract;
  readonly context: Context & Partial<Ports>;
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  readonly startedAt: number;
  /** Headers that whatever answer comes will carry. */
  readonly responseHeaders: Record<string, string>;
  caller?: Caller;
  request?: ParsedRequest;
  /** The task that the request made or was about, for the log. */
  taskId?: string | undefined;
  /** The code of a refusal, for the log. */
  code?: string;
}

/** HTTP hands over a header's bytes as if they were Latin-1; what clients mean by them is UTF-8. */
function decoded(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.toString('latin1') !== value) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}

/** Every value of a request header: a repeated one is not the same as none or one. */
export function headerValues(event: APIGatewayProxyEvent, name: string): readonly string[] {
  const entries = Object.entries(event.multiValueHeaders ?? {});
  const found = entries.filter(([header]) => header.toLowerCase() === name);
  return found.flatMap(([, values]) => values ?? []).map(decoded);
}
