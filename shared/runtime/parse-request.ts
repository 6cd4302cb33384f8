/** Parses a request and validates it against its contract. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { idempotencyKey } from '../contracts/fields.ts';
import { gatewayErrors } from '../contracts/gateway.ts';
import { lacksConsent } from '../contracts/likeness-consent.ts';
import { bodyBytesLimit } from '../contracts/limits.ts';
import type { RequestContract } from '../contracts/operation.ts';
import { fingerprintOf, type Idempotency } from '../domain/idempotency/idempotency.ts';
import type { Settings } from '../platform/settings.ts';
import type { addressProblems } from './address-problems.ts';
import { ApiError } from './api-error.ts';
import { bodyBytes, headerValues } from './exchange.ts';
import { problemsOf } from './validation.ts';

export interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly idempotency: Idempotency | undefined;
  /** Whether to return only what the request would cost, without creating anything. */
  readonly isDryRun: boolean;
}

const invalid = (...problems: string[]): ApiError => new ApiError('VALIDATION_ERROR', { message: problems.join('; ') });

function idempotencyKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const values = headerValues(event, 'idempotency-key');
  if (values.length > 1) throw invalid('Idempotency-Key must be given once');
  const [key] = values;
  if (key === undefined) return undefined;
  const { data, error } = idempotencyKey().safeParse(key);
  if (error) throw invalid(...problemsOf(error).map((problem) => `Idempotency-Key ${problem}`));
  return data;
}

/** Rejects bodies of another type than JSON. @throws {ApiError} VALIDATION_ERROR */
export function requireJson(event: APIGatewayProxyEvent): void {
  const [contentType = '', ...more] = headerValues(event, 'content-type');
  if (more.length > 0) throw invalid('Content-Type must be given once');
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiError('VALIDATION_ERROR', { message: gatewayErrors.unsupportedType.message });
  }
  const encodings = headerValues(event, 'content-encoding');
  if (encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity')) {
    throw invalid('Content-Encoding must be identity');
  }
}

function jsonBodyOf(event: APIGatewayProxyEvent): unknown {
  requireJson(event);
  const bytes = bodyBytes(event);
  if (bytes.length > bodyBytesLimit)
    throw new ApiError('VALIDATION_ERROR', { message: gatewayErrors.tooLarge.message });
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('the body must be valid JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be a JSON object');
  return body;
}

/** The declared query parameters or headers that were sent; a repeated one is a problem. */
function named(schema: z.ZodObject, valuesOf: (name: string) => readonly string[]) {
  const names = Object.keys(schema.shape);
  return {
    values: Object.fromEntries(names.flatMap((name) => valuesOf(name).map((value) => [name, value]))),
    problems: names.filter((name) => valuesOf(name).length > 1).map((name) => `${name} must be given once`),
  };
}

/** Restores the conventional case of a header name in a message: `X-Dry-Run`. */
const asHeaderName = (problem: string): string =>
  problem.replace(/^[a-z-]+/, (name) => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()));

const unchanged = (problem: string): string => problem;

/** Collects problems from all parts of a request, so that a client can fix them all at once. */
function collector() {
  const problems: string[] = [];
  const parse = <Output>(schema: z.ZodType<Output>, value: unknown, phrase = unchanged): Output | undefined => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    problems.push(...problemsOf(result.error).map(phrase));
    return undefined;
  };
  const parseNamed = (
    schema: z.ZodObject | undefined,
    valuesOf: (name: string) => readonly string[],
    phrase = unchanged,
  ) => {
    if (!schema) return undefined;
    const { values, problems: repeated } = named(schema, valuesOf);
    problems.push(...repeated.map(phrase));
    return parse(schema, values, phrase);
  };
  return { problems, parse, parseNamed };
}

/** The body as sent. If the contract has none, an empty body or any JSON object is accepted. */
function sentBodyOf({ body, method }: RequestContract, event: APIGatewayProxyEvent): unknown {
  const isSent = event.body !== null && event.body !== '';
  return body || (method === 'POST' && isSent) ? jsonBodyOf(event) : undefined;
}

/**
 * Identifies a request among those with the same idempotency key: by its known fields after defaults and normalization,
 * and by its client reference.
 */
const fingerprint = (key: string, body: unknown, headers: Readonly<Record<string, unknown>> | undefined): string =>
  fingerprintOf({ body, clientReference: headers?.['x-client-reference'] }, key);

/** Finds the URLs in a body that the URL policy rejects. */
export type FindAddressProblems = typeof addressProblems;

/** The parts of a request, not yet validated. */
export interface SentRequest extends Pick<Idempotency, 'sentTo'> {
  readonly key: string | undefined;
  readonly params: unknown;
  /** @throws {ApiError} VALIDATION_ERROR if the body is not JSON */
  readonly body: () => unknown;
  /** The values of a header or query parameter. */
  readonly header: (name: string) => readonly string[];
  readonly query: (name: string) => readonly string[];
}

/** The parts of an HTTP request. @throws {ApiError} VALIDATION_ERROR */
export const sentIn = (contract: RequestContract, event: APIGatewayProxyEvent): SentRequest => ({
  key: contract.idempotent ? idempotencyKeyOf(event) : undefined,
  params: event.pathParameters ?? {},
  body: () => sentBodyOf(contract, event),
  header: (name) => headerValues(event, name),
  query: (name) => event.multiValueQueryStringParameters?.[name] ?? [],
});

/** Parses path, query, headers and body by the contract. @throws {ApiError} NOT_FOUND, VALIDATION_ERROR */
export function parseSent(
  contract: RequestContract,
  sent: SentRequest,
  settings: Pick<Settings, 'apiUrl' | 'likenessConsent' | 'urlPolicy'>,
  findAddressProblems: FindAddressProblems = () => [],
): ParsedRequest {
  const { key, sentTo } = sent;
  const params = contract.params?.safeParse(sent.params);
  if (params && !params.success) {
    throw contract.checksParams ? invalid(...problemsOf(params.error)) : new ApiError('NOT_FOUND');
  }

  const { problems, parse, parseNamed } = collector();
  const sentBody = sent.body();
  const headers = parseNamed(contract.headers, sent.header, asHeaderName);
  const query = parseNamed(contract.query, sent.query);
  const body = contract.body && parse(contract.body, sentBody);
  if (contract.body && body) {
    problems.push(...findAddressProblems(contract.body, body, settings));
    if (lacksConsent(contract, body) && settings.likenessConsent === 'required') {
      problems.push('likenessConsent must be true: the person must agree to the use of their face, motion or voice');
    }
  }
  if (problems.length > 0) throw invalid(...problems);

  const isDryRun = contract.dryRun !== undefined && headers?.['x-dry-run'] === 'true';
  const isRepeatable = key !== undefined && !isDryRun;
  return {
    params: params?.data,
    query,
    headers,
    body,
    idempotency: isRepeatable
      ? { key, fingerprint: fingerprint(key, body, headers), ...(sentTo !== undefined && { sentTo }) }
      : undefined,
    isDryRun,
  };
}
