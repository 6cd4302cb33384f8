/** The state of one HTTP request while it is handled. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Availability } from '../contracts/operation.ts';
import type { Actor } from './actor.ts';

export interface Exchange {
  /** The name of the function that handles the request, for the log. */
  readonly name: string;
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  readonly startedAt: number;
  /** Headers that the response gets, whatever its status. */
  readonly responseHeaders: Record<string, string>;
  /** Cookies that the response sets, whatever its status. */
  readonly cookies: string[];
  /** Error codes that the endpoint's contract declares for when it is unavailable. */
  readonly rules: Pick<Availability, 'whenUnavailable' | 'whenSwitchedOff'>;
  /** Who makes the request; set as soon as it is authenticated, even if it is rejected afterwards. */
  actor?: Actor;
  /** The task that the request created or addressed, for the log. */
  taskId?: string | undefined;
  /** The error code of the response, for the log. */
  code?: string;
  /** Additional text about a rejection, for the log. */
  reason?: string | undefined;
}

/** Decodes a header as UTF-8, which clients send, although Node decodes header bytes as Latin-1. */
function decoded(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.toString('latin1') !== value) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}

/** All values of a request header, so that a repeated header is distinguishable from a single one. */
export function headerValues(event: APIGatewayProxyEvent, name: string): readonly string[] {
  const entries = Object.entries(event.multiValueHeaders ?? {});
  const found = entries.filter(([header]) => header.toLowerCase() === name);
  return found.flatMap(([, values]) => values ?? []).map(decoded);
}

/** The exact bytes of the request body. */
export const bodyBytes = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
