/** Describes a failed tool call to a language model. */
import { ApiError, CallError } from '../client/errors.ts';

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function adviceFor(error: CallError): string {
  if (!error.retryable) return '';
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? ' Try again later.' : ` Try again in ${retryAfterSeconds} seconds.`;
}

/** The text of an error, without the token, which errors of the runtime can quote. */
export function failureText(error: unknown, token: string): string {
  const message = sentence(error instanceof Error ? error.message : String(error));
  const request = error instanceof ApiError && error.requestId !== undefined ? `, request ${error.requestId}` : '';
  const code = error instanceof ApiError ? `${error.code}${request}: ` : '';
  const advice = error instanceof CallError ? adviceFor(error) : '';
  return `${code}${message}${advice}`.replaceAll(token, '[token]');
}
