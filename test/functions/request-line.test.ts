/** The log line of each request: its account, operation and result. */
import { Logger } from '@aws-lambda-powertools/logger';
import { beforeEach, expect, test } from 'vitest';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

type Line = Readonly<Record<string, unknown>>;

let account: TestAccount;
let lines: Line[];

const host = await serviceInTests();
beforeEach(async () => {
  lines = [];
  const logger = new (class extends Logger {
    override info(...[message, line]: Parameters<Logger['info']>) {
      if (message === 'request') lines.push(line as Line);
    }
  })();
  host.service.bind({ ...host.service.context, logger });
  account = await host.account();
});

const ms = expect.any(Number);
const requestId = expect.stringMatching(/^[\w=-]{8,}$/);

test('a request over the rate limit writes a log line with its account, like the requests within it', async () => {
  const { accountId, token, tokenId } = account;
  await Promise.all(Array.from({ length: 61 }, () => host.call('getProfile', { token })));
  const known = { requestId, operation: 'getProfile', accountId, tokenId, taskId: undefined, ms };
  expect(lines.filter(({ status }) => status !== 429)).toEqual(
    Array.from({ length: 60 }, () => ({ ...known, status: 200, code: undefined })),
  );
  expect(lines.filter(({ status }) => status === 429)).toEqual([{ ...known, status: 429, code: 'RATE_LIMITED' }]);
});

test('a request without a valid token writes a log line without an account', async () => {
  const response = await host.call('getProfile', { token: `av_${'0'.repeat(64)}` });
  expect(lines).toMatchObject([
    { requestId: response.headers['x-request-id'], status: 401, code: 'UNAUTHORIZED', accountId: undefined },
  ]);
});

test('a request for a published document writes a log line', async () => {
  const response = await fetch(`${host.url}/.well-known/webhook-keys.json`);
  expect(lines).toMatchObject([
    { requestId: response.headers.get('x-request-id'), operation: 'listWebhookKeys', status: 200, ms },
  ]);
});

test('an engine’s callback writes a log line without its secret URL', async () => {
  const response = await fetch(`${host.url}/inbound/engines/offline/guessed-address`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(404);
  const line = {
    requestId: response.headers.get('x-request-id'),
    operation: 'receiveEngineCallback',
    code: 'NOT_FOUND',
  };
  expect(lines).toMatchObject([line]);
  expect(JSON.stringify(lines)).not.toContain('guessed');
});
