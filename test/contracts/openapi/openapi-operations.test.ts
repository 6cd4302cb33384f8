import { describe, expect, it, test } from 'vitest';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import { samplesOf } from '../../support/limit-samples.ts';
import {
  bodySchemaOf,
  closed,
  type Header,
  operationsOf,
  type Parameter,
  published,
  resolved,
  responsesOf,
  type Schema,
} from '../../support/openapi-document.ts';
import { schemaProblems } from '../../support/openapi-validator.ts';
import { publishedFields } from '../../support/published-fields.ts';
import { specification } from '../../support/specification-table.ts';
import type { Limit, SpecifiedOperation } from '../../support/specified-operation.ts';
import { idempotencyKeyLengths } from '../../support/specified-sets.ts';

const document = closed(published());
const { components } = document;
const cases = operationsOf(document).map((located) => [located.operation.operationId, located] as const);

const specifiedOperation = (id: string): SpecifiedOperation => {
  const found = Object.entries(specification).find(([operationId]) => operationId === id)?.[1];
  if (!found) throw new Error(`${id} is not specified`);
  return found;
};

const dataSchema = (schema: Schema): Schema =>
  (resolved(schema as { $ref: string }, components.schemas).properties as { data: Schema }).data;

test('operations with a daily limit besides the token’s rate limit name both in their description of 429', () => {
  const both = cases.flatMap(([id, { operation }]) => {
    const description = responsesOf(operation, document)['429']?.description ?? '';
    return /more than 60 requests in 60 seconds.* Or .*today \(UTC\).*the rest of the day/.test(description)
      ? [id]
      : [];
  });
  const generations = Object.values(generateContracts).map(({ operationId }) => operationId);
  expect(both.toSorted()).toEqual(
    ['cancelTask', 'createFile', 'createStudioAvatar', 'createStudioProduct', 'deleteTask', ...generations].toSorted(),
  );
  const long = cases.flatMap(([id, { operation }]) =>
    /longer than what was paid for today \(UTC\)/.test(responsesOf(operation, document)['429']?.description ?? '')
      ? [id]
      : [],
  );
  expect(long.toSorted()).toEqual(['changeVoice', 'generateCortes', 'imitateVideo']);
});

describe.each(cases)('%s in the published document', (id, { method, path, operation }) => {
  const specified = specifiedOperation(id);
  const responses = responsesOf(operation, document);
  const success = responses[specified.success];

  it('has the specified method, path and scopes, and is marked as an extension exactly where specified', () => {
    expect({ method, path }).toEqual({ method: specified.method, path: specified.path });
    expect(operation['x-implemented']).toBe(true);
    expect(operation['x-extension'] ?? false).toBe(specified.extension);
    expect(operation['x-scopes']).toEqual(specified.scopes);
    expect(operation.security).toEqual(specified.scopes.length > 0 ? [{ apiToken: [] }] : []);
    for (const scope of specified.scopes) expect(operation.description).toContain(`\`${scope}\``);
  });

  it('declares exactly the specified success and error responses, each error code under its status', () => {
    const declared = Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/json'].examples ?? {}).map((code) => [code, Number(status)]),
    );
    expect(Object.fromEntries(declared)).toEqual(specified.errors);
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(successes).toEqual(specified.dryRun ? ['200', String(specified.success)] : [String(specified.success)]);
  });

  it('responds with exactly the specified fields', () => {
    const schema = dataSchema(success?.content['application/json'].schema ?? {});
    expect(publishedFields(schema, document)).toEqual(specified.data);
  });

  it('links its response to getTask and cancelTask if and only if it creates a task', () => {
    const links = Object.entries(responses).flatMap(([status, response]) =>
      Object.values(response.links ?? {}).map((link) => ({ status, ...link })),
    );
    const parameters = { taskId: '$response.body#/data/taskId' };
    const expected = ['getTask', 'cancelTask'].map((operationId) => ({ status: '202', operationId, parameters }));
    expect(links).toEqual(specified.dryRun ? expected : []);
    for (const link of links) {
      expect(Object.keys(specified.data)).toContain('taskId');
      expect(Object.keys(specifiedOperation(link.operationId).params)).toEqual(['taskId']);
    }
  });

  it('responds with JSON only, except getUsage, which offers CSV too', () => {
    const types = Object.keys(success?.content ?? {});
    expect(types).toEqual(['application/json', ...(id === 'getUsage' ? ['text/csv'] : [])]);
  });

  it('has a request body if and only if one is specified, with an example that its own schema accepts', () => {
    const body = operation.requestBody?.content['application/json'];
    expect(body !== undefined).toBe(Object.keys(specified.body).length > 0);
    if (!body) return;
    expect(body.example).toBeTypeOf('object');
    expect(schemaProblems(body.schema, body.example)).toEqual([]);
  });

  it('has an example for every response, which the response’s own schema accepts', () => {
    for (const { content } of Object.values(responses)) {
      const { schema, example, examples } = content['application/json'];
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(schemaProblems(schema, value)).toEqual([]);
    }
  });

  it('declares the headers of every response', () => {
    for (const [status, { headers }] of Object.entries(responses)) {
      const answered = status.startsWith('2') && status === String(specified.success);
      const known = specified.scopes.length > 0 && status !== '401';
      expect(Object.keys(headers).toSorted()).toEqual(
        [
          'Cache-Control',
          'X-Request-Id',
          ...(known ? ['RateLimit', 'RateLimit-Policy', 'X-Test-Mode'] : []),
          ...(['429', '503'].includes(status) ||
          (status === '502' && id === 'generateCortes') ||
          (status === '500' && id === 'createSubscription')
            ? ['Retry-After']
            : []),
          ...(status === '202' ? ['Location'] : []),
          ...(answered && (specified.dryRun || ['getTask', 'listTasks', 'generateBatch'].includes(id))
            ? ['Retry-After']
            : []),
          ...(status === '401' ? ['WWW-Authenticate'] : []),
          ...(answered && specified.idempotent ? ['Idempotent-Replayed', 'Idempotent-Body-Mismatch'] : []),
        ].toSorted(),
      );
      const caching = headers['Cache-Control'];
      expect(caching && resolved<Header>(caching, components.headers)).toMatchObject({
        schema: { const: answered ? specified.cacheControl : 'no-store' },
      });
    }
  });
});

const address = { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2048 };

const byDefault = (limit: { readonly byDefault?: unknown }): Schema =>
  limit.byDefault === undefined ? {} : { default: limit.byDefault };

/** The JSON Schema of a limit. */
function schemaOf(limit: Limit): Schema {
  switch (limit.kind) {
    case 'text':
      return { type: 'string', minLength: limit.from, ...(limit.to !== undefined && { maxLength: limit.to }) };
    case 'number':
      return { type: 'number', minimum: limit.from, maximum: limit.to, default: limit.byDefault };
    case 'positive number':
      return { type: 'number', exclusiveMinimum: 0 };
    case 'query integer':
      return { type: 'integer', minimum: limit.from, maximum: limit.to, default: limit.byDefault };
    case 'integer':
      return {
        type: 'integer',
        minimum: limit.from,
        ...(limit.to !== undefined && { maximum: limit.to }),
        ...byDefault(limit),
      };
    case 'boolean':
      return { type: 'boolean', ...byDefault(limit) };
    case 'one of numbers':
      return { type: 'integer', enum: limit.values, ...byDefault(limit) };
    case 'one of':
      return { type: 'string', ...(limit.anyCase ? {} : { enum: limit.values }), ...byDefault(limit) };
    case 'payer':
      return { type: 'object', required: ['name', 'taxId', 'email'] };
    case 'background':
      return { type: 'string', ...byDefault(limit) };
    case 'url':
      return address;
    case 'urls':
      return { type: 'array', minItems: limit.from ?? 0, maxItems: limit.to, items: address };
    case 'product images':
    case 'batch items':
      return { type: 'array', minItems: limit.from, maxItems: limit.to };
    case 'texts':
      return { type: 'array', minItems: limit.from, maxItems: limit.to };
    case 'file ids':
      return { type: 'array', minItems: limit.from, maxItems: limit.to, uniqueItems: true };
    default:
      return { type: 'string' };
  }
}

/** A schema merged with the component that it refers to, if any. */
const inFull = (schema: Schema): Schema => ({ ...schema, ...resolved(schema, components.schemas) });

const places = { params: 'path', query: 'query', headers: 'header' } as const;

describe.each(cases)('the request of %s in the published document', (id, { operation }) => {
  const specified = specifiedOperation(id);
  const parameters = operation.parameters.map((parameter) => resolved<Parameter>(parameter, components.parameters));
  const find = (name: string) => parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase());

  it('has exactly the specified parameters with their limits', () => {
    const limits = (Object.keys(places) as (keyof typeof places)[]).flatMap((part) =>
      Object.entries(specified[part]).map(([name, limit]) => ({ name, limit, place: places[part] })),
    );
    const limit = { kind: 'text', ...idempotencyKeyLengths } as const;
    const keys = specified.idempotent ? [{ name: 'Idempotency-Key', limit, place: 'header' }] : [];
    expect(parameters).toHaveLength(limits.length + keys.length);
    for (const { name, limit, place } of [...limits, ...keys]) {
      const parameter = find(name);
      expect(parameter?.in).toBe(place);
      expect(inFull(parameter?.schema ?? {})).toMatchObject(schemaOf(limit));
      expect(find(name)?.required ?? false).toBe('required' in limit);
    }
  });

  it('has exactly the specified body fields with their limits', () => {
    const { properties = {}, required = [] } = (bodySchemaOf(operation, document) ?? {}) as {
      properties?: Readonly<Record<string, Schema>>;
      required?: readonly string[];
    };
    expect(Object.keys(properties)).toEqual(Object.keys(specified.body));
    for (const [name, limit] of Object.entries(specified.body)) {
      expect(inFull(properties[name] ?? {})).toMatchObject(schemaOf(limit));
      expect(required.includes(name), `${name} is required`).toBe('required' in limit);
    }
  });

  it('has a body schema that accepts and rejects the same values as the service, as far as JSON Schema can express it', () => {
    const { schema = {}, example } = operation.requestBody?.content['application/json'] ?? {};
    const accepts = (name: string, value: unknown) =>
      schemaProblems(schema, { ...(example as object), [name]: value }).length === 0;
    for (const [name, limit] of Object.entries(specified.body)) {
      if (['url', 'urls'].includes(limit.kind)) continue;
      const { accepted, rejected } = samplesOf(limit);
      // JSON Schema cannot express lone surrogates.
      const sent = rejected.filter((value) => typeof value !== 'string' || value.isWellFormed());
      expect(accepted.filter((value) => !accepts(name, value))).toEqual([]);
      expect(sent.filter((value) => accepts(name, value))).toEqual([]);
    }
  });

  it('has parameter schemas that accept and reject the same strings as the service', () => {
    for (const part of Object.keys(places) as (keyof typeof places)[]) {
      for (const [name, limit] of Object.entries(specified[part])) {
        // A number in a query is text: the service parses the text, but the schema describes the number.
        if (limit.kind === 'query integer') continue;
        const { schema = {} } = find(name) ?? {};
        const accepts = (value: unknown) => schemaProblems(schema, value).length === 0;
        const { accepted, rejected } = samplesOf(limit);
        expect([name, accepted.filter((value) => !accepts(value))]).toEqual([name, []]);
        const texts = rejected.filter((value) => typeof value === 'string' && value.isWellFormed());
        expect([name, texts.filter(accepts)]).toEqual([name, []]);
      }
    }
  });

  it('marks the parameters and body fields that are extensions', () => {
    const { properties = {} } = bodySchemaOf(operation, document) ?? {};
    const fields = Object.entries(properties as Schema).map(([name, field]) => ({ name, ...(field as Schema) }));
    const named: readonly { readonly name: string; readonly 'x-extension'?: unknown }[] = [...parameters, ...fields];
    const marked = named.filter((one) => one['x-extension']);
    expect(marked.map(({ name }) => name.toLowerCase()).toSorted()).toEqual(
      [...Object.keys(specified.headers), ...(specified.extensions ?? [])].toSorted(),
    );
  });
});
