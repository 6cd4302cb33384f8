/** The preparation that a function runs on Lambda before its first call. */
import { expect, test } from 'vitest';
import { operations } from '../../functions/index.ts';
import { localIdentity } from '../../infra/local/service-environment.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { warmUpAccess } from '../../shared/platform/warm-up-access.ts';
import { createContext } from '../../shared/runtime/context.ts';

const environment = {
  ...localIdentity,
  TABLE_NAME: 'table',
  API_URL: 'https://api.example.com',
  RESULTS_URL: 'https://results.example.com',
  CREDENTIALS_KEY: 'arn:aws:kms:us-east-1:123456789012:key/credentials',
  STATE_MACHINE_ARNS: 'generate=arn:aws:states:us-east-1:123456789012:stateMachine:generate',
};

/** A port on which no server listens, and the endpoint of Lambda's runtime API. */
const endpoints = [
  ['an unreachable endpoint', { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }],
  ['no endpoint', {}],
] as const;

test.for(endpoints)(
  'while a function warms up, its table accepts reads and writes without network access (with %s configured)',
  async ([, endpoint]) => {
    const { table } = createContext({ ...environment, ...endpoint }, { connect: warmUpAccess });
    const key = { pk: 'any', sk: 'key' };
    expect(await table.get(key)).toMatchObject({ pk: 'warm-up' });
    await table.transact([{ Put: { Item: key } }]);
  },
);

test.each(Object.entries(operations))(
  'warming up %s calls it with the example of its contract and gets a success response',
  async (name, definition) => {
    const context = createContext(environment, { connect: warmUpAccess });
    context.logger.setLogLevel('SILENT');
    const { status } = registry[name as OperationId].success;
    expect(await definition.warmUp?.(context)).toMatchObject({ statusCode: status });
  },
);
