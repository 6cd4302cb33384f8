/** Response headers of the OpenAPI document. */

import type { OperationContract } from '../operation.ts';
import type { Json } from './schemas.ts';

const header = (description: string, schema: Json): Json => ({ description, schema });
const certain = (description: string, schema: Json): Json => ({ description, required: true, schema });

const truth = { type: 'string', const: 'true' };

/** Headers that several responses share, by name. */
export const sharedHeaders = {
  'X-Request-Id': certain("Names the request in the service's logs; quote it when you ask about it.", {
    type: 'string',
  }),
  'RateLimit-Policy': header('The limit in force: `q` requests in any window of `w` seconds, for each token.', {
    type: 'string',
    const: '"token";q=60;w=60',
  }),
  RateLimit: header(
    '`r` more requests are admitted right now; in `t` seconds the oldest counted request leaves the window and makes room for one more. On every answer to a request whose token is good.',
    { type: 'string', pattern: '^"token";r=\\d+;t=\\d+$', examples: ['"token";r=59;t=60'] },
  ),
  'Retry-After': certain('Whole seconds after which the request has a chance.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': certain('How to authenticate.', { type: 'string', const: 'Bearer' }),
  'Idempotent-Replayed': header('Present when this is the answer to an earlier request with the same key.', truth),
  'Idempotent-Body-Mismatch': header(
    'Present on a replay when the body differs from that of the first request.',
    truth,
  ),
};

/** References to shared headers, as a response has them. */
export const references = (...names: (keyof typeof sharedHeaders)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const cacheControl = (value = 'no-store'): Json => ({
  'Cache-Control': certain('Who may keep the answer.', { type: 'string', const: value }),
});

/** What is told to those who come with a good token. */
export const rateLimitHeaders = ({ scopes }: OperationContract): Json =>
  scopes.length > 0 ? references('RateLimit-Policy', 'RateLimit') : {};
