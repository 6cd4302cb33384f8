/** The dashboard's cookies on HTTPS, where browsers protect them from other hosts and from the network. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { cookie, readCookie, sessionCookie } from '../../shared/runtime/cookies.ts';

const deployed = { dashboardUrl: 'https://app.example.com' };

const read = (...cookies: string[]) =>
  readCookie({ multiValueHeaders: { Cookie: cookies } } as unknown as APIGatewayProxyEvent, sessionCookie, deployed);

test('a cookie of a deployed dashboard is restricted to its host, sent only over HTTPS and hidden from scripts', () => {
  expect(cookie(sessionCookie, 'value', 60, deployed)).toBe(
    '__Host-session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
});

test('a deployed dashboard accepts only a cookie that no other host can have set', () => {
  expect(read('a=b; __Host-session=value')).toBe('value');
  for (const name of ['session', '__Secure-session', '__Host-session2', 'x__Host-session']) {
    expect(read(`${name}=value`), name).toBeUndefined();
  }
  expect(read('session=planted; __Host-session=value')).toBe('value');
  expect(read('__Host-session=one', '__Host-session=two')).toBeUndefined();
});
