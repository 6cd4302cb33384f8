/** Refusals in the OpenAPI document: every code that an operation declares, grouped by HTTP status. */
import * as z from 'zod';
import { type ErrorCode, errors } from '../errors.ts';
import { errorsOf, type OperationContract } from '../operation.ts';
import { cacheControl, rateLimitHeaders, references } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';

/** A refusal that the operation really gives, taken from its own schemas. */
function invalidExample({ body, query }: OperationContract): string {
  const result = body?.safeParse({}) ?? query?.safeParse({ limit: '0' });
  const problems = result?.error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? [];
  return problems.length > 0 ? problems.join('; ') : 'Idempotency-Key must be a text of 1 to 128 characters';
}

function exampleMessage(contract: OperationContract, code: ErrorCode): string {
  if (code === 'VALIDATION_ERROR') return invalidExample(contract);
  if (code === 'FORBIDDEN') return `the token lacks the scope ${contract.scopes[0]}`;
  if (code === 'INTERNAL_ERROR') return 'internal error';
  return errors[code].description;
}

/** Behind a public operation stands no token whose requests could be counted. */
const meaning = ({ scopes }: OperationContract, code: ErrorCode): string =>
  code === 'RATE_LIMITED' && scopes.length === 0 ? 'The service gets too many requests.' : errors[code].description;

const pascalCase = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const envelope = (codes: readonly ErrorCode[]) =>
  z
    .object({ success: z.literal(false), error: z.object({ code: z.enum(codes), message: z.string() }) })
    .meta({ id: `${codes.map(pascalCase).join('Or')}Response` });

function errorResponse(
  contract: OperationContract,
  schemas: Schemas,
  status: number,
  codes: readonly ErrorCode[],
): Json {
  const example = (code: ErrorCode): Json => {
    const error = { code, message: exampleMessage(contract, code) };
    return { value: { success: false, error } };
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${meaning(contract, code)}`).join('\n\n'),
    headers: {
      ...references('X-Request-Id'),
      ...(status === 401 ? references('WWW-Authenticate') : rateLimitHeaders(contract)),
      ...(status === 429 && references('Retry-After')),
      ...cacheControl(),
    },
    content: {
      'application/json': {
        schema: schemas.response(envelope(codes)),
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** By status. Codes are in the order of the table of errors, so that the same ones always make the same schema. */
export function errorResponses(contract: OperationContract, schemas: Schemas): Json {
  const declared = new Set(errorsOf(contract));
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => declared.has(code));
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => errors[code].status)].map(([status, ofStatus]) => [
      status,
      errorResponse(contract, schemas, status, ofStatus),
    ]),
  );
}
