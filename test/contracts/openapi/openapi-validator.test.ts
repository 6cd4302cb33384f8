import { describe, expect, it } from 'vitest';
import { errorBody, successBody } from '../../../shared/contracts/envelope.ts';
import { registry } from '../../../shared/contracts/registry.ts';
import { responseProblems } from '../../support/openapi-validator.ts';

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': 'request-1',
};
const rateLimit = { 'ratelimit-policy': '"token";q=60;w=60', ratelimit: '"token";r=59;t=60' };
const good = { ...headers, ...rateLimit };
const profile = registry.getProfile.example.data;
const rejection = errorBody('NOT_FOUND', 'missing');

/** A valid response of each kind with one defect. */
const faults: Readonly<Record<string, Parameters<typeof responseProblems>>> = {
  'an undeclared status': ['getProfile', 418, good, successBody(profile)],
  'an undeclared field': ['getProfile', 200, good, successBody({ ...profile, secret: 1 })],
  'an undeclared field inside': [
    'getProfile',
    200,
    good,
    successBody({ ...profile, plan: { id: 'a', name: 'b', c: 1 } }),
  ],
  'a field beside data': ['getProfile', 200, good, JSON.stringify({ success: true, data: profile, more: 1 })],
  'a missing field': ['getProfile', 200, good, successBody({ ...profile, email: undefined })],
  'a value of another form': ['getProfile', 200, good, successBody({ ...profile, createdAt: '2026-11-21' })],
  'a body that is not JSON': ['getProfile', 200, good, 'oops'],
  'another content type': ['getProfile', 200, { ...good, 'content-type': 'text/html' }, successBody(profile)],
  'a CORS header': ['getProfile', 200, { ...good, 'access-control-allow-origin': '*' }, successBody(profile)],
  'a header of another operation': [
    'getProfile',
    200,
    { ...good, 'idempotent-replayed': 'true' },
    successBody(profile),
  ],
  'another cache rule': ['getProfile', 200, { ...good, 'cache-control': 'public' }, successBody(profile)],
  'no rate limit': ['getProfile', 200, headers, successBody(profile)],
  'no rate limit on an error': ['getTask', 404, headers, rejection],
  'a rate limit on a 401': ['getTask', 401, { ...good, 'www-authenticate': 'Bearer' }, errorBody('UNAUTHORIZED', 'no')],
  'a code of another status': ['getTask', 404, good, errorBody('FORBIDDEN', 'no')],
  'an undeclared code': ['getTask', 409, good, errorBody('TASK_NOT_CANCELABLE', 'no')],
  'no Retry-After': ['getTask', 429, good, errorBody('RATE_LIMITED', 'no')],
  'a Retry-After of nothing': ['getTask', 429, { ...good, 'retry-after': '0' }, errorBody('RATE_LIMITED', 'no')],
  'a gateway without an id': [
    undefined,
    404,
    { ...headers, 'x-request-id': undefined as unknown as string },
    rejection,
  ],
  'a gateway with another envelope': [undefined, 404, headers, '{"message":"Not Found"}'],
  'a gateway with another status': [undefined, 403, headers, rejection],
};

describe('the response validator', () => {
  it('accepts valid responses', () => {
    expect(responseProblems('getProfile', 200, good, successBody(profile))).toEqual([]);
    expect(responseProblems('getTask', 404, good, rejection)).toEqual([]);
    expect(
      responseProblems('getTask', 401, { ...headers, 'WWW-Authenticate': 'Bearer' }, errorBody('UNAUTHORIZED', 'no')),
    ).toEqual([]);
    expect(responseProblems('getTask', 429, { ...good, 'Retry-After': '3' }, errorBody('RATE_LIMITED', 'no'))).toEqual(
      [],
    );
    expect(responseProblems(undefined, 404, headers, rejection)).toEqual([]);
  });

  it.each(Object.entries(faults))('finds %s', (_fault, given) => {
    expect(responseProblems(...given)).not.toEqual([]);
  });
});
