import { describe, expect, it } from 'vitest';
import { registry } from '../../../shared/contracts/registry.ts';
import { isWellFormedToken } from '../../../shared/domain/tokens/token.ts';
import {
  bodySchemaOf,
  operationsOf,
  type Parameter,
  published,
  resolved,
  responsesOf,
  type Schema,
} from '../../support/openapi-document.ts';
import { schemaProblems } from '../../support/openapi-validator.ts';

const document = published();
const operations = operationsOf(document);
const { components } = document;

/** Every object inside a value, with its path. */
function* objectsIn(value: unknown, path: readonly string[] = []): Generator<[path: readonly string[], found: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Schema];
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, [...path, name]);
}

const isObjectSchema = (schema: Schema): boolean => schema.type === 'object';

describe('the published document', () => {
  it('is byte-identical each time that it is generated', () => {
    expect(JSON.stringify(published())).toBe(JSON.stringify(document));
  });

  it('names the requested server and version', () => {
    const named = published({ serverUrl: 'https://api.example.com', version: '7.8.9' });
    expect(named.servers).toEqual([{ url: 'https://api.example.com' }]);
    expect(named.info.version).toBe('7.8.9');
  });

  it('has every operation of the registry, and no other', () => {
    expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(
      Object.keys(registry).toSorted(),
    );
  });

  it('lists all operations of each required scope', () => {
    const rows = document.info.description.split('\n').filter((line) => /^\| `\w+:/.test(line));
    const listed = rows.flatMap((row) => {
      const [scope, ...names] = [...row.matchAll(/`([\w:]+)`/g)].map(([, name]) => name);
      return names.map((name) => `${scope} ${name}`);
    });
    const needed = operations.flatMap(({ operation }) =>
      operation['x-scopes'].map((scope) => `${scope} ${operation.operationId}`),
    );
    expect(listed.toSorted()).toEqual(needed.toSorted());
  });

  it('contains no token that could be real', () => {
    const tokens = JSON.stringify(document).match(/av_[0-9a-f]{64}/gi) ?? [];
    expect(tokens.filter(isWellFormedToken)).toEqual([]);
  });

  it('allows additional properties in every object, except the body for which the specification forbids them', () => {
    const closedObjects = [...objectsIn(document)].filter(([, schema]) => schema.additionalProperties === false);
    expect(closedObjects.map(([path]) => path.join('.'))).toEqual(['components.schemas.SubscriptionRequest']);
  });

  it('requires only response headers that API Gateway does not rename', () => {
    const headers = Object.entries(components.headers);
    expect(headers.map(([name]) => name)).toContain('WWW-Authenticate');
    const required = headers.filter(([, header]) => header.required).map(([name]) => name);
    expect(required.toSorted()).toEqual(['Cache-Control', 'Location', 'Retry-After', 'X-Request-Id']);
  });

  it('has a named schema for the envelope of every success response', () => {
    const successes = operations.flatMap(({ operation }) =>
      Object.entries(responsesOf(operation, document)).filter(([status]) => status.startsWith('2')),
    );
    for (const [, { content }] of successes) expect(content['application/json'].schema.$ref).toMatch(/\/\w+Response$/);
  });

  it('describes every property, and bounds every string, integer and list of a request', () => {
    const properties = [...objectsIn(document)].flatMap(([path, schema]) =>
      isObjectSchema(schema) && !path.includes('example')
        ? Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
            ([name, property]) => [[...path, name].join('.'), property] as const,
          )
        : [],
    );
    expect(properties.length).toBeGreaterThan(100);
    const described = ({ description, $ref, allOf }: Schema): boolean =>
      description !== undefined || $ref !== undefined || allOf !== undefined;
    expect(properties.filter(([, property]) => !described(property)).map(([path]) => path)).toEqual([]);
  });

  it('bounds every string, integer and list, except in the usage and in texts without a specified limit', () => {
    const schemas = [...objectsIn(document)].filter(
      ([path]) => !path.includes('example') && !path.includes('examples'),
    );
    const unbounded = schemas.filter(
      ([, { type, ...schema }]) =>
        (type === 'string' && !('maxLength' in schema || 'enum' in schema || 'const' in schema)) ||
        (type === 'array' && !('maxItems' in schema)) ||
        (type === 'integer' &&
          !('format' in schema && 'minimum' in schema && 'maximum' in schema) &&
          !('enum' in schema)),
    );
    const texts = {
      Voice: ['voiceId'],
      VoiceChange: ['voiceId'],
      VideoUgc: ['action', 'backgroundSound', 'productDescription'],
    };
    const unspecified = Object.entries(texts).flatMap(([operation, names]) =>
      [`${operation}Request`, `${operation}TaskInput`].flatMap((schema) =>
        names.map((name) => `components.schemas.${schema}.properties.${name}`),
      ),
    );
    const usage = [
      'components.schemas.UsageReport.properties.rows',
      'paths./api/v1/usage.get.responses.200.content.text/csv.schema',
    ];
    expect(unbounded.map(([path]) => path.join('.')).toSorted()).toEqual([...unspecified, ...usage].toSorted());
  });

  it('states the price of every generation operation, taken from the given prices', () => {
    const priced = operations.filter(({ path }) => path.includes('/generate/') && !path.endsWith('/batch'));
    for (const { operation } of priced) {
      const price = (operation as unknown as Schema)['x-price'];
      expect(price).toMatchObject({ unit: 'credits' });
      expect(Object.keys(price as object).length).toBeGreaterThan(1);
    }
  });

  it('rejects a body without any of the fields of which at least one is required, as the service does', () => {
    const required = new Map<string, readonly string[]>();
    for (const contract of Object.values(registry)) {
      const { error } = 'body' in contract ? contract.body.safeParse({}) : {};
      const { message } = error?.issues.find(({ path }) => path.length === 0) ?? {};
      const names = /^(\w+(?: or \w+)+) is required$/.exec(message ?? '')?.[1]?.split(' or ');
      if (names) required.set(contract.operationId, names);
    }
    expect(required.get('generateVoice')).toEqual(['voice', 'voiceId']);
    for (const { operation } of operations) {
      const names = required.get(operation.operationId);
      const schema = bodySchemaOf(operation, document);
      expect(schema?.not).toEqual(
        names && { properties: Object.fromEntries(names.map((name) => [name, { not: {} }])) },
      );
      if (!names || !schema) continue;
      const example = operation.requestBody?.content['application/json'].example as object;
      const without = Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));
      expect(schemaProblems(schema, without)).toHaveLength(1);
      const [given] = Object.entries(example).filter(([name]) => names.includes(name));
      expect(schemaProblems(schema, { ...without, [given?.[0] ?? '']: given?.[1] })).toEqual([]);
    }
  });

  it('has no dangling reference and no unused schema', () => {
    const text = JSON.stringify(document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect(names).toEqual(new Set(Object.keys(components.schemas)));
  });
});

describe('the published webhooks', () => {
  const signing = ['v1a,', '{webhook-id}.{webhook-timestamp}.{body}', '/.well-known/webhook-keys.json', '300 seconds'];
  const events = Object.entries(document.webhooks);

  it('are the events that report the end of a task', () => {
    expect(Object.keys(document.webhooks)).toEqual(['task.completed', 'task.failed']);
  });

  it.each(events)(
    'show an example of %s that is valid under a schema without additional properties',
    (name, { post }) => {
      const body = post.requestBody?.content['application/json'];
      expect(body?.example).toMatchObject({ event: name });
      expect(schemaProblems(body?.schema ?? {}, body?.example)).toEqual([]);
      expect(schemaProblems(body?.schema ?? {}, { ...(body?.example as object), more: 1 })).toHaveLength(1);
    },
  );

  it.each(events)('document how %s is delivered and authenticated', (_name, { post }) => {
    const names = post.parameters.map((parameter) => resolved<Parameter>(parameter, components.parameters).name);
    expect(names).toEqual([
      'X-Webhook-Token',
      'X-Client-Reference',
      'User-Agent',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    for (const fact of [
      'application/json',
      '10 seconds',
      '3 attempts',
      '2 seconds',
      '4 seconds',
      'redirect',
      ...signing,
    ]) {
      expect(post.description).toContain(fact);
    }
  });
});
