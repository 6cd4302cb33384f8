/** Response headers of the OpenAPI document. */

import { pollingSeconds, requestsPerMinute } from '../limits.ts';
import type { OperationContract } from '../operation.ts';
import type { Json } from './schemas.ts';

const header = (description: string, schema: Json): Json => ({ description, schema });
const certain = (description: string, schema: Json) => ({ description, required: true, schema });

const notStored = 'no-store';

const truth = { type: 'string', const: 'true' };

/** Headers that several responses share, by name. */
export const sharedHeaders = {
  'X-Request-Id': certain("Identifies the request in the service's logs; quote it when you contact support.", {
    type: 'string',
    maxLength: 200,
  }),
  'RateLimit-Policy': header('The rate limit: `q` requests in any window of `w` seconds, for each token.', {
    type: 'string',
    const: `"token";q=${requestsPerMinute};w=60`,
  }),
  RateLimit: header(
    '`r` more requests are admitted now; in `t` seconds the oldest counted request leaves the window and makes room for one more. Present on every response to a request with a valid token.',
    { type: 'string', pattern: '^"token";r=\\d+;t=\\d+$', maxLength: 40, examples: ['"token";r=59;t=60'] },
  ),
  'X-Test-Mode': header('Extension. Present if the request had a test token.', truth),
  'Retry-After': certain('The number of seconds to wait before the next attempt.', {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 86_400,
  }),
  Location: certain('Extension. The path of the task.', {
    type: 'string',
    pattern: '^/api/v1/tasks/[0-9a-f-]{36}$',
    maxLength: 50,
  }),
  'Cache-Control': certain('How long the response may be cached.', { type: 'string', const: notStored }),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', const: 'Bearer' }),
  'Idempotent-Replayed': header(
    'Present when this is the stored response to an earlier request with the same key.',
    truth,
  ),
  'Idempotent-Body-Mismatch': header(
    'Present on a replay when the body differs from that of the first request.',
    truth,
  ),
};

/** References to shared headers, for use in a response. */
export const references = (...names: (keyof typeof sharedHeaders)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** `Retry-After` for errors whose end is only sometimes known. */
export const possibleRetryAfter: Json = {
  'Retry-After': header('Present while no engine is available.', sharedHeaders['Retry-After'].schema),
};

const { least, most } = pollingSeconds;
const pollingSchema = { type: 'integer', format: 'int32', minimum: least, maximum: most };

const pollingHints = {
  always: certain('Extension. How many seconds to wait before the first poll of the task.', pollingSchema),
  'while-open': header(
    'Extension. How many seconds to wait before the next poll, for the task that is expected to end first. Present while a task in the response is open.',
    pollingSchema,
  ),
};

/** `Retry-After` of a successful response: when to repeat the request. */
export const pollingHint = (given: NonNullable<OperationContract['success']['retryAfter']>): Json => ({
  'Retry-After': pollingHints[given],
});

/** The `Cache-Control` header of responses; `no-store` unless the operation sets its own. */
export const cacheControl = (value = notStored): Json =>
  value === notStored
    ? references('Cache-Control')
    : { 'Cache-Control': certain('How long the response may be cached.', { type: 'string', const: value }) };

/** The headers of responses to requests with a valid token. */
export const tokenHeaders = ({ scopes }: OperationContract): Json =>
  scopes.length > 0 ? references('RateLimit-Policy', 'RateLimit', 'X-Test-Mode') : {};
