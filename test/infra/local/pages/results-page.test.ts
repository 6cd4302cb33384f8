/** Results as players ask for them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../support/test-service.ts';

let host: TestService;
let resultUrl: string;

beforeAll(async () => {
  host = await testService();
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const account = await host.account();
  const task = await host.ended(account.token, await host.speak(account.token));
  resultUrl = task.resultUrl ?? '';
});
afterAll(() => host.close());

const get = async (range?: string) => {
  const response = await fetch(resultUrl, { headers: range === undefined ? {} : { range } });
  return { status: response.status, headers: response.headers, bytes: (await response.arrayBuffer()).byteLength };
};

test('a result is served whole, as what it is, and to be taken for nothing else', async () => {
  const { status, headers, bytes } = await get();
  expect(status).toBe(200);
  expect(bytes).toBe(1024);
  expect(headers.get('content-type')).toBe('audio/mpeg');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('a part of it is served where one is asked for', async () => {
  const { status, headers, bytes } = await get('bytes=0-9');
  expect([status, bytes]).toEqual([206, 10]);
  expect(headers.get('content-range')).toBe('bytes 0-9/1024');
});

test.for(['x', 'bytes=5-1', 'bytes=0-1,4-5'])('all of it is served where %j is asked for', async (range) => {
  expect(await get(range)).toMatchObject({ status: 200, bytes: 1024 });
});

test('a part beyond its end is told to be one', async () => {
  expect((await get('bytes=99999-')).status).toBe(416);
});

test('an address that nobody was given is 404', async () => {
  const other = resultUrl.replace(/-[0-9a-f]{32}/, `-${'0'.repeat(32)}`);
  expect((await fetch(other)).status).toBe(404);
});
