/** Parameters of an operation in the OpenAPI document: path, query and headers, derived from the contract's schemas. */
import type * as z from 'zod';
import { idempotencyKey } from '../fields.ts';
import type { OperationContract } from '../operation.ts';
import type { Json, ObjectSchema, Schemas } from './schemas.ts';

type Place = 'path' | 'query' | 'header';

/** Restores the conventional case of a header name: `x-dry-run` becomes `X-Dry-Run`. */
const headerName = (name: string): string => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());

const parameter = (place: Place, name: string, required: boolean, property: Json, example: unknown): Json => {
  const { description, 'x-extension': extension, ...schema } = property;
  return {
    name: place === 'header' ? headerName(name) : name,
    in: place,
    ...(required && { required }),
    ...(description !== undefined && { description }),
    ...(extension !== undefined && { 'x-extension': extension }),
    schema,
    ...(example !== undefined && { example }),
  };
};

function parametersIn(place: Place, schema: z.ZodObject | undefined, schemas: Schemas, examples: Json = {}): Json[] {
  if (!schema) return [];
  const { properties, required = [] } = schemas.request(schema) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) =>
    parameter(place, name, required.includes(name), property, examples[name]),
  );
}

const idempotencyKeyRules = [
  'Makes it safe to repeat a request: for 24 hours, a key identifies its first request and the response to it.',
  '',
  '- 1 to 128 characters. A key belongs to the account and the operation.',
  '- A repeated request gets the stored response, whatever its body, with `Idempotent-Replayed: true` and, if the body differs, also `Idempotent-Body-Mismatch: true`. Nothing is created or debited again.',
  '- A body differs when a field that the operation knows has a different value after defaults are filled in, or when `X-Client-Reference` is different.',
  '- Only responses with status 2xx are stored: after an error the same key can be used again.',
  '- After a 500, the outcome of a request can be unknown. In that case, only the same body completes it; a different body with the same key is rejected with 409 `IDEMPOTENCY_CONFLICT` without `Retry-After`.',
  '- A dry run (`X-Dry-Run: true`) neither reads nor stores responses.',
  '- A replay counts against the rate limit and needs the same scope.',
].join('\n');

const idempotencyKeyParameter = (schemas: Schemas): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  description: idempotencyKeyRules,
  schema: schemas.request(idempotencyKey()),
  example: 'order-4711-voice',
});

export const parametersOf = (contract: OperationContract, schemas: Schemas): readonly Json[] => [
  ...parametersIn('path', contract.params, schemas, contract.example.params),
  ...parametersIn('query', contract.query, schemas),
  ...(contract.idempotent ? [idempotencyKeyParameter(schemas)] : []),
  ...parametersIn('header', contract.headers, schemas),
];
