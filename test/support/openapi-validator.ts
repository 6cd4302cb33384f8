/** Validates HTTP responses against the published OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ErrorCode, errors } from '../../shared/contracts/errors.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import {
  closed,
  type Header,
  operationsOf,
  type PublishedResponse,
  published,
  resolved,
  responsesOf,
  type Schema,
} from './openapi-document.ts';

const document = closed(published());
const operations = new Map(operationsOf(document).map(({ operation }) => [operation.operationId, operation]));

const documentId = 'openapi';
const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
ajv.addSchema(document, documentId);

/** References to components are relative to the document's root. */
const inDocument = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? `${documentId}${value}` : value,
  ) as Schema;

const compiled = new WeakMap<Schema, ReturnType<typeof ajv.compile>>();

/** The violations of the document's schema by a value. */
export function schemaProblems(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(inDocument(schema));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`,
  );
}

const gatewayEnvelope: Schema = {
  type: 'object',
  required: ['success', 'error'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: { code: { enum: Object.keys(errors) }, message: { type: 'string', minLength: 1 } },
    },
  },
};

/** The headers of the gateway's own responses. */
const gatewayHeaders = (status: number): PublishedResponse['headers'] => ({
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'Cache-Control': { required: true, schema: { const: 'no-store' } },
  ...(status === 429 && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
});

function headerProblems(declared: PublishedResponse['headers'], headers: ReadonlyMap<string, string>): string[] {
  const problems = Object.entries(declared).flatMap(([name, reference]) => {
    const { required, schema } = resolved<Header>(reference, document.components.headers);
    const value = headers.get(name.toLowerCase());
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const typed = schema.type === 'integer' && value !== '' ? Number(value) : value;
    return schemaProblems(schema, typed).map((problem) => `the header ${name}: ${problem}`);
  });
  const undeclared = Object.keys(document.components.headers).filter(
    (name) => headers.has(name.toLowerCase()) && !(name in declared),
  );
  const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  return [...problems, ...[...undeclared, ...cors].map((name) => `the header ${name} is not declared`)];
}

function parsed(text: string): { error?: { code: ErrorCode } } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyProblems(
  schema: Schema,
  codes: readonly string[],
  status: number,
  headers: ReadonlyMap<string, string>,
  text: string,
): string[] {
  const contentType = headers.get('content-type');
  if (contentType !== 'application/json; charset=utf-8') return [`the content type is ${contentType}`];
  const body = parsed(text);
  if (body === undefined) return [`the body is not JSON: ${text}`];
  const expected = body.error && errors[body.error.code]?.status;
  const misplaced = expected !== undefined && expected !== status;
  const undeclared = [body.error?.code ?? []].flat().filter((code) => !codes.includes(code));
  return [
    ...schemaProblems(schema, body),
    ...(misplaced ? [`its code belongs to the status ${expected}`] : []),
    ...undeclared.map((code) => `the code ${code} is not declared`),
  ];
}

/** Responses to valid tokens have rate limit headers, except a 500 before the token was read. */
const rateLimitMissing = (scopes: readonly string[], status: number, headers: ReadonlyMap<string, string>): boolean =>
  scopes.length > 0 &&
  status !== 401 &&
  status !== 500 &&
  !(headers.has('ratelimit') && headers.has('ratelimit-policy'));

/**
 * Differences between a response and the document: undeclared or missing parts; empty if there are none.
 * Without an operationId the response is compared with the gateway's own responses.
 */
export function responseProblems(
  operationId: OperationId | undefined,
  status: number,
  responseHeaders: Readonly<Record<string, string>>,
  bodyText: string,
): string[] {
  const headers = new Map(Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]));
  const operation = operationId && operations.get(operationId);
  if (!operation) {
    const made = [
      ...headerProblems(gatewayHeaders(status), headers),
      ...bodyProblems(gatewayEnvelope, Object.keys(errors), status, headers, bodyText),
    ];
    return made.map((problem) => `gateway, ${status}: ${problem}`);
  }
  const response = responsesOf(operation, document)[status];
  if (!response) return [`${operationId} does not declare the status ${status}: ${bodyText}`];
  const { schema, examples = {} } = response.content['application/json'];
  const isTable = 'text/csv' in response.content && headers.get('content-type')?.startsWith('text/csv;');
  const problems = [
    ...headerProblems(response.headers, headers),
    ...(isTable ? [] : bodyProblems(schema, Object.keys(examples), status, headers, bodyText)),
    ...(rateLimitMissing(operation['x-scopes'], status, headers) ? ['the RateLimit headers are missing'] : []),
  ];
  return problems.map((problem) => `${operationId}, ${status}: ${problem}`);
}
