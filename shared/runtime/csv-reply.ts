/** Returns the rows of a list as CSV (RFC 4180) to clients that accept it. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestContract } from '../contracts/operation.ts';
import { csvLine } from './csv-line.ts';
import { headerValues } from './exchange.ts';
import type { Reply } from './respond.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether a media range of an `Accept` header accepts CSV; a weight of zero rejects it. */
function isCsv(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  return /^text\/csv$/i.test(type) && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/i.test(parameter));
}

const acceptsCsv = (event: APIGatewayProxyEvent): boolean =>
  headerValues(event, 'accept').some((value) => value.split(',').some(isCsv));

/** The reply in the form that the client accepts. */
export function inAcceptedForm(
  { success: { csv, rows: name } }: Pick<RequestContract, 'success'>,
  query: unknown,
  event: APIGatewayProxyEvent,
  reply: Reply,
): Reply {
  if (!csv || name === undefined || !acceptsCsv(event)) return reply;
  const { data } = JSON.parse(reply.body) as { readonly data: Readonly<Record<string, readonly Row[]>> };
  const columns = csv(query);
  const lines = (data[name] ?? []).map((row) => csvLine(columns.map((column) => row[column])));
  return {
    ...reply,
    body: [csvLine(columns), ...lines].join(''),
    headers: { ...reply.headers, 'Content-Type': 'text/csv; charset=utf-8; header=present' },
  };
}
