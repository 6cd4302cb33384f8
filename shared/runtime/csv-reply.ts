/** Returns the rows of a list as CSV (RFC 4180) to clients that accept it. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import type { RequestContract } from '../contracts/operation.ts';
import { ApiError } from './api-error.ts';
import { headerValues } from './exchange.ts';
import type { Reply } from './respond.ts';

type Row = Readonly<Record<string, unknown>>;

const acceptsCsv = (event: APIGatewayProxyEvent): boolean =>
  headerValues(event, 'accept').some((value) => /(?:^|,)\s*text\/csv\s*(?:[,;]|$)/i.test(value));

function columnsOf(data: z.ZodType, rows: string): readonly string[] {
  const list = (data as z.ZodObject<Record<string, z.ZodArray<z.ZodObject>>>).shape[rows];
  return Object.keys(list?.element.shape ?? {});
}

/** A value that is absent or null is empty. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

/**
 * The reply in the form that the client accepts. A table has no place to say that rows are missing.
 * @throws {ApiError} PROVIDER_UNAVAILABLE if the response is not complete
 */
export function inAcceptedForm({ success }: RequestContract, event: APIGatewayProxyEvent, reply: Reply): Reply {
  const { csv, rows: name } = success;
  if (!csv || name === undefined || !acceptsCsv(event)) return reply;
  const retryAfter = reply.headers?.['Retry-After'];
  if (retryAfter !== undefined) {
    const message = 'The report is not complete yet: repeat the request, which continues where this one ended.';
    throw new ApiError('PROVIDER_UNAVAILABLE', { message, retryAfterSeconds: Number(retryAfter) });
  }
  const { data } = JSON.parse(reply.body) as { readonly data: Readonly<Record<string, readonly Row[]>> };
  const columns = columnsOf(success.data, name);
  const lines = (data[name] ?? []).map((row) => line(columns.map((column) => row[column])));
  return {
    ...reply,
    body: [line(columns), ...lines].join(''),
    headers: { ...reply.headers, 'Content-Type': 'text/csv; charset=utf-8; header=present' },
  };
}
