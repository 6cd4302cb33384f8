/** An operation in the OpenAPI document, generated from its contract. */
import * as z from 'zod';
import type { OperationContract } from '../operation.ts';
import { acceptsTests } from '../scopes.ts';
import { codeSamples } from './code-samples.ts';
import { errorResponses } from './errors.ts';
import { cacheControl, pollingHint, references, tokenHeaders } from './headers.ts';
import type { OpenapiOptions } from './openapi.ts';
import { parametersOf } from './parameters.ts';
import type { Json, Schemas } from './schemas.ts';

/** The name of the security scheme. */
export const tokenScheme = 'apiToken';

const named = (scopes: readonly string[]): string => scopes.map((scope) => `\`${scope}\``).join(', ');

function admission({ scopes }: OperationContract): string {
  if (scopes.length === 0) return 'Public: needs no token; an `Authorization` header is ignored.';
  const needed = scopes.length === 1 ? `Needs the scope ${named(scopes)}` : `Needs one of the scopes ${named(scopes)}`;
  return acceptsTests(scopes) ? `${needed}.` : `${needed}; test tokens are rejected with 403.`;
}

const extensionNote = 'Extension: an addition of this service to the v1 specification.';

const describe = (contract: OperationContract): string =>
  [contract.description, admission(contract), ...(contract.extension ? [extensionNote] : [])].join('\n\n');

const content = (schema: Json, example: unknown): Json => ({ 'application/json': { schema, example } });

function successResponse(
  schemas: Schemas,
  description: string,
  headers: Json,
  data: z.ZodType,
  example: unknown,
): Json {
  const id = `${z.globalRegistry.get(data)?.id}Response`;
  const envelope = z
    .object({ success: z.literal(true).describe('Always true for a success.'), data })
    // The envelope is named after the data, not the operation: several operations respond with the same data, under
    // different statuses.
    .meta({ id, description: 'The response to a successful request.' });
  return { description, headers, content: content(schemas.response(envelope), { success: true, data: example }) };
}

const asTable = { 'text/csv': { schema: { type: 'string' } } };

/** Adds a CSV representation to the response, if clients can have it as a table. */
const withTable = ({ csv }: OperationContract['success'], response: Json): Json =>
  csv ? { ...response, content: { ...Object(response.content), ...asTable } } : response;

const successDescriptions = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted: the task is queued and its cost is debited.',
};

const dryRunDescription =
  'The response to a dry run (`X-Dry-Run: true`): what the request would cost. Nothing was created.';

/** Maps members of the response to the parameters of operations that can follow. */
const linked = (links: NonNullable<OperationContract['links']>): Json =>
  Object.fromEntries(
    Object.entries(links).map(([operationId, members]) => {
      const found = Object.entries(members).map(([name, member]) => [name, `$response.body#/data/${member}`]);
      return [operationId, { operationId, parameters: Object.fromEntries(found) }];
    }),
  );

function successResponses(contract: OperationContract, schemas: Schemas): Json {
  const { dryRun, example, idempotent, links, success } = contract;
  const common = { ...references('X-Request-Id'), ...tokenHeaders(contract) };
  const headers = {
    ...common,
    ...cacheControl(success.cacheControl),
    ...(success.status === 202 && references('Location')),
    ...(success.retryAfter && pollingHint(success.retryAfter)),
    ...(idempotent && references('Idempotent-Replayed', 'Idempotent-Body-Mismatch')),
  };
  const description = success.description ?? successDescriptions[success.status];
  return {
    ...(dryRun && {
      200: successResponse(schemas, dryRunDescription, { ...common, ...cacheControl() }, dryRun, example.dryRun),
    }),
    [success.status]: {
      ...withTable(success, successResponse(schemas, description, headers, success.data, example.data)),
      ...(links && { links: linked(links) }),
    },
  };
}

/** Scopes are listed in the description and in `x-scopes` instead: many tools accept scopes only for OAuth. */
const security = ({ scopes }: OperationContract): readonly Json[] => (scopes.length > 0 ? [{ [tokenScheme]: [] }] : []);

/** The operation's price; a dry run returns the price of a specific request. */
const priceOf = (contract: OperationContract, { prices }: OpenapiOptions): Json => {
  const { taskType } = contract as { readonly taskType?: string };
  const price = taskType && prices[taskType.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  return price ? { 'x-price': { unit: 'credits', ...price } } : {};
};

export const operationOf = (contract: OperationContract, schemas: Schemas, options: OpenapiOptions): Json => ({
  operationId: contract.operationId,
  tags: [contract.tag],
  summary: contract.summary,
  description: describe(contract),
  'x-implemented': true,
  ...(contract.extension && { 'x-extension': true }),
  ...(contract.repeatable && { 'x-repeatable': true }),
  'x-scopes': contract.scopes,
  ...priceOf(contract, options),
  'x-codeSamples': codeSamples(contract, options.serverUrl),
  security: security(contract),
  parameters: parametersOf(contract, schemas),
  ...(contract.body && {
    requestBody: { required: true, content: content(schemas.request(contract.body), contract.example.body) },
  }),
  responses: { ...successResponses(contract, schemas), ...errorResponses(contract, schemas) },
});
