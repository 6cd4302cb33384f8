/** Whether the service published a file, as anybody can ask. */
import { beforeEach, expect, test } from 'vitest';
import { dayMs, timestamp } from '../../shared/platform/clock.ts';
import { sha256Of } from '../support/sha256-of.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const clock = stillClock();
const host = await serviceInTests({ clock, marksResults: true });

let account: TestAccount;
beforeEach(async () => {
  // The clock advances before each test, because an address may only send a limited number of requests per minute.
  clock.advance(60_000);
  account = await host.account();
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
});

const find = (sha256: string) => host.call('findProvenance', { params: { sha256 } });

/** Generates speech and returns the digest of the file that is then downloaded. */
async function publish() {
  const { token } = account;
  const taskId = await host.speak(token);
  const { results: [result] = [] } = await host.ended(token, taskId);
  const file = await fetch(result?.url ?? '');
  return { taskId, sha256: sha256Of(Buffer.from(await file.arrayBuffer())) };
}

test('anyone can look up the day, medium and origin of a published file, and learns nothing else', async () => {
  const { sha256 } = await publish();
  for (const spelling of [sha256, sha256.toUpperCase()]) {
    const { status, body } = await find(spelling);
    expect([status, body.data]).toEqual([
      200,
      {
        published: true,
        publishedAt: timestamp(clock.now()).slice(0, 10),
        medium: 'audio',
        digitalSourceType: 'trainedAlgorithmicMedia',
      },
    ]);
  }
});

test('a file that the service did not publish is not found', async () => {
  const { status, body } = await find('0'.repeat(64));
  expect([status, body.error]).toEqual([
    404,
    { code: 'NOT_FOUND', message: 'This service did not publish this file, or no longer remembers it.' },
  ]);
});

test('a malformed digest is rejected with an error that names the field and describes a digest', async () => {
  const { status, body } = await find('abc');
  expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.error?.message).toBe('sha256 must be a SHA-256 digest: 64 hexadecimal digits');
});

test('a file is still found when its task has been deleted, and no longer after two years', async () => {
  const { sha256, taskId } = await publish();
  expect((await host.call('deleteTask', { token: account.token, params: { taskId } })).status).toBe(200);
  clock.advance(729 * dayMs);
  expect((await find(sha256)).status).toBe(200);
  clock.advance(dayMs + 1000);
  expect((await find(sha256)).status).toBe(404);
});

test('an IP address may look up 30 files a minute, and is then told how long to wait', async () => {
  const asked = await Array.fromAsync({ length: 30 }, () => find('0'.repeat(64)));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]));
  clock.advance(20_000);
  const { status, headers, body } = await find('0'.repeat(64));
  expect([status, body.error?.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '40']);
  clock.advance(40_000);
  expect((await find('0'.repeat(64))).status).toBe(404);
});
