/** Errors in the OpenAPI document: every code that an operation declares, grouped by HTTP status. */
import * as z from 'zod';
import { errorMembers } from '../error-members.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { gatewayErrors } from '../gateway.ts';
import { once } from '../once.ts';
import { errorsOf, type OperationContract } from '../operation.ts';
import { cacheControl, possibleRetryAfter, references, tokenHeaders } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';

const isPublic = ({ scopes }: OperationContract): boolean => scopes.length === 0;

/** A validation message that the operation can really return, derived from its own schemas. */
function invalidExample({ body, query, idempotent }: OperationContract): string {
  if (!body && !query && !idempotent) return gatewayErrors.tooLarge.message;
  const result = body?.safeParse({}) ?? query?.safeParse({ limit: '0' });
  const problems = result?.error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? [];
  return problems.length > 0 ? problems.join('; ') : 'Idempotency-Key must be a string of 1 to 128 characters';
}

/** Only generations depend on engines, and only orders on a payment gateway; other operations work without either. */
const dependsOnOthers = ({ dryRun, errors: own }: OperationContract): boolean =>
  dryRun !== undefined || own.includes('PROVIDER_UNAVAILABLE');

function exampleMessage(contract: OperationContract, code: ErrorCode): string {
  if (code === 'VALIDATION_ERROR') return invalidExample(contract);
  if (isPublic(contract) && code === 'FORBIDDEN') return gatewayErrors.blocked.message;
  if (isPublic(contract) && code === 'RATE_LIMITED') return gatewayErrors.throttled.message;
  if (code === 'PROVIDER_UNAVAILABLE' && !dependsOnOthers(contract)) return gatewayErrors.overloaded.message;
  if (code === 'FORBIDDEN') return `The token lacks the scope ${contract.scopes[0]}.`;
  return errors[code].description;
}

/** Public operations have no token, so neither rate limits nor scopes apply to them. */
const publicMeanings: Partial<Readonly<Record<ErrorCode, string>>> = {
  RATE_LIMITED: 'The service receives too many requests.',
  FORBIDDEN: 'The firewall blocked the request.',
};

function meaning(contract: OperationContract, code: ErrorCode): string {
  if (code === 'PROVIDER_UNAVAILABLE' && !dependsOnOthers(contract)) return 'The service is overloaded.';
  const { furtherLimits = {} }: { readonly furtherLimits?: Partial<Record<ErrorCode, string>> } = contract;
  const further = furtherLimits[code];
  if (further) return `${errors[code].description} Or ${further}`;
  return (isPublic(contract) && publicMeanings[code]) || errors[code].description;
}

const ErrorEnvelope = once(() =>
  z
    .object({
      success: z.literal(false).describe('Always false for an error.'),
      error: z.object(errorMembers()).meta({ id: 'Error', description: 'What went wrong.' }),
    })
    .meta({ id: 'ErrorResponse', description: 'The response to a request that was rejected or failed.' }),
);

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
      ...(status === 401 ? references('WWW-Authenticate') : tokenHeaders(contract)),
      ...((status === 429 || status === 503) && references('Retry-After')),
      ...(contract.whenUnavailable && status === errors[contract.whenUnavailable].status && possibleRetryAfter),
      ...cacheControl(),
    },
    content: {
      'application/json': {
        schema: schemas.response(ErrorEnvelope()),
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** Groups error codes by status, in the order of the error table, so that equal sets of codes give equal responses. */
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
