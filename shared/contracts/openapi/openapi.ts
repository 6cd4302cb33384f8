/** The API as an OpenAPI 3.1 document, generated from the registry, the errors and the webhooks. */

import { documentRoutes } from '../documents.ts';
import type { OperationContract } from '../operation.ts';
import { registry } from '../registry.ts';
import { describeTags, description } from './description.ts';
import { sharedHeaders } from './headers.ts';
import { operationOf, tokenScheme } from './operation.ts';
import { type Json, type Schemas, schemas } from './schemas.ts';
import { sharedParts } from './shared-parts.ts';
import { withTaskVariants } from './task-variants.ts';
import { webhooks } from './webhooks.ts';

export interface OpenapiOptions {
  /** The base URL of the service, without a trailing slash. */
  readonly serverUrl: string;
  readonly version: string;
  /** The numbers that prices are computed from, by task type in camelCase. */
  readonly prices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const operations: readonly OperationContract[] = Object.values(registry);

const securitySchemes = {
  [tokenScheme]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'av_<64 hex characters>',
    description: '`Authorization: Bearer <token>`. Each operation names the scope that the token needs.',
    'x-token-pattern': '^av_[0-9a-f]{64}$',
  },
};

const paths = (found: Schemas, options: OpenapiOptions) => {
  // Response schemas are generated first, so that an enumeration shared with requests is named as the known values of
  // the response.
  for (const { success } of operations) found.response(success.data);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const item = (contracts: readonly OperationContract[]): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      contracts.map((contract) => [contract.method.toLowerCase(), operationOf(contract, found, options)]),
    );
  return Object.fromEntries([...byPath].map(([path, contracts]) => [path, item(contracts)]));
};

const byName = (components: Json): Json =>
  Object.fromEntries(Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Generates the document. The same options give the same document, byte for byte. */
export function openapi(options: OpenapiOptions): object {
  const { serverUrl, version } = options;
  const found = schemas();
  const shared = sharedParts(paths(found, options));
  const events = webhooks(found);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Generation Service API',
      version,
      summary: 'Generates media with AI, paid with credits.',
      description,
      contact: { name: 'The operator of this service', url: `${serverUrl}${documentRoutes.getDocs.path}` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: describeTags(operations.map(({ tag }) => tag)),
    paths: shared.paths,
    webhooks: events,
    components: {
      securitySchemes,
      schemas: byName(withTaskVariants(found)),
      parameters: shared.parameters,
      responses: shared.responses,
      headers: sharedHeaders,
    },
  };
}
