/** What a request says, held against its contract. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { idempotencyKey } from '../contracts/fields.ts';
import { fingerprintOf, type Idempotency } from '../domain/idempotency/idempotency.ts';
import { type Exchange, headerValues } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { addressProblems, problemsOf } from './validation.ts';

const bodyBytesMax = 256 * 1024;

const invalid = (...problems: string[]): Refusal => new Refusal('VALIDATION_ERROR', { message: problems.join('; ') });

function idempotencyKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const values = headerValues(event, 'idempotency-key');
  if (values.length > 1) throw invalid('Idempotency-Key must be given once');
  const [key] = values;
  if (key === undefined) return undefined;
  const { data, error } = idempotencyKey.safeParse(key);
  if (error) throw invalid(...problemsOf(error).map((problem) => `Idempotency-Key ${problem}`));
  return data;
}

function jsonBodyOf(event: APIGatewayProxyEvent): unknown {
  const [contentType = '', ...more] = headerValues(event, 'content-type');
  if (more.length > 0) throw invalid('Content-Type must be given once');
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw invalid('Content-Type must be application/json');
  }
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > bodyBytesMax) throw invalid('the body must be at most 256 KiB');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('the body must be valid JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be a JSON object');
  return body;
}

/** The values that a contract names, out of those that came; a repeated one is a problem, not a choice. */
function named(schema: z.ZodObject, valuesOf: (name: string) => readonly string[]) {
  const names = Object.keys(schema.shape);
  return {
    values: Object.fromEntries(names.flatMap((name) => valuesOf(name).map((value) => [name, value]))),
    problems: names.filter((name) => valuesOf(name).length > 1).map((name) => `${name} must be given once`),
  };
}

/** Headers are compared in lower case, and told as they are written: `X-Dry-Run`. */
const asWritten = (problem: string): string =>
  problem.replace(/^[a-z-]+/, (name) => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()));

const asTheyAre = (problem: string): string => problem;

/** Collects the problems of all parts of a request, so that a client can mend them in one go. */
function collector() {
  const problems: string[] = [];
  const parse = <Output>(schema: z.ZodType<Output>, value: unknown, told = asTheyAre): Output | undefined => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    problems.push(...problemsOf(result.error).map(told));
    return undefined;
  };
  const parseNamed = (
    schema: z.ZodObject | undefined,
    valuesOf: (name: string) => readonly string[],
    told = asTheyAre,
  ) => {
    if (!schema) return undefined;
    const { values, problems: repeated } = named(schema, valuesOf);
    problems.push(...repeated.map(told));
    return parse(schema, values, told);
  };
  return { problems, parse, parseNamed };
}

/** Reads path, query, headers and body of a request as its contract has them. @throws {Refusal} */
export function parseRequest(exchange: Exchange): void {
  const { contract, event, context } = exchange;
  const key = contract.idempotent ? idempotencyKeyOf(event) : undefined;
  const params = contract.params?.safeParse(event.pathParameters ?? {});
  if (params && !params.success) throw new Refusal('NOT_FOUND');

  const { problems, parse, parseNamed } = collector();
  const sent = contract.body && jsonBodyOf(event);
  const headers = parseNamed(contract.headers, (name) => headerValues(event, name), asWritten);
  const query = parseNamed(contract.query, (name) => event.multiValueQueryStringParameters?.[name] ?? []);
  const body = contract.body && parse(contract.body, sent);
  if (contract.body && body) problems.push(...addressProblems(contract.body, body, context.settings.urlPolicy));
  if (problems.length > 0) throw invalid(...problems);

  const idempotency: Idempotency | undefined =
    key === undefined ? undefined : { key, fingerprint: fingerprintOf(body) };
  exchange.request = { params: params?.data, query, headers, body, idempotency };
}
