/** The dashboard's cookies on HTTPS, where browsers protect them from other hosts and from the network. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import {
  cookie,
  operatorCookie,
  operatorLoginCookie,
  readCookie,
  sessionCookie,
} from '../../shared/runtime/cookies.ts';

const deployed = { dashboardUrl: 'https://app.example.com' };

const readNamed = (name: string, ...cookies: string[]) =>
  readCookie({ multiValueHeaders: { Cookie: cookies } } as unknown as APIGatewayProxyEvent, name, deployed);
const read = (...cookies: string[]) => readNamed(sessionCookie, ...cookies);

test('a cookie of a deployed dashboard is restricted to its host, sent only over HTTPS and hidden from scripts', () => {
  expect(cookie(sessionCookie, 'value', 60, deployed)).toBe(
    '__Host-session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
});

test('a deployed dashboard accepts a session only from a cookie that no other host can have set', () => {
  expect(read('a=b; __Host-session=value')).toBe('value');
  for (const name of ['session', '__Secure-session', '__Host-session2', 'x__Host-session']) {
    expect(read(`${name}=value`), name).toBeUndefined();
  }
  expect(read('session=planted; __Host-session=value')).toBe('value');
  expect(read('__Host-session=one', '__Host-session=two')).toBeUndefined();
});

test('the cookie of an operator is sent only over HTTPS, from operators’ pages to operators’ paths', () => {
  expect(cookie(operatorCookie, 'value', 60, deployed)).toBe(
    '__Secure-operator=value; Path=/operate; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
});

test('the cookie of an operator’s log-in also arrives with the redirect of the identity provider', () => {
  expect(cookie(operatorLoginCookie, 'value', 60, deployed)).toBe(
    '__Secure-operator-login=value; Path=/operate; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
});

test('a deployed stage accepts an operator’s cookie only under its secure name, and only if it is sent once', () => {
  expect(readNamed(operatorCookie, 'operator=planted; __Secure-operator=value')).toBe('value');
  for (const sent of ['operator=value', '__Host-operator=value', '__Secure-operator=one; __Secure-operator=two']) {
    expect(readNamed(operatorCookie, sent), sent).toBeUndefined();
  }
});
