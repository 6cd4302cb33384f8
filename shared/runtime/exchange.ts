/** One HTTP request on its way through the service, and what is known about it so far. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { TaskRules } from '../contracts/generation.ts';
import type { Actor } from './actor.ts';

export interface Exchange {
  /** The function that handles the request, for the log. */
  readonly name: string;
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  readonly startedAt: number;
  /** Headers that the response carries whatever its status. */
  readonly responseHeaders: Record<string, string>;
  /** What the endpoint's contract says about its errors. */
  readonly rules: Pick<TaskRules, 'whenEngineDown' | 'whenSwitchedOff'>;
  /** Known as soon as the request is authenticated, even if it is rejected afterwards. */
  actor?: Actor;
  /** The task that the request created or addressed, for the log. */
  taskId?: string | undefined;
  /** The code of the error that the request ended with, for the log. */
  code?: string;
  /** What the log says about a rejection besides its code. */
  reason?: string | undefined;
}

/** HTTP delivers a header's bytes as if they were Latin-1; what clients mean by them is UTF-8. */
function decoded(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.toString('latin1') !== value) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}

/** Every value of a request header: a repeated header is neither missing nor a single one. */
export function headerValues(event: APIGatewayProxyEvent, name: string): readonly string[] {
  const entries = Object.entries(event.multiValueHeaders ?? {});
  const found = entries.filter(([header]) => header.toLowerCase() === name);
  return found.flatMap(([, values]) => values ?? []).map(decoded);
}

/** The exact bytes of the body. */
export const bodyBytes = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
