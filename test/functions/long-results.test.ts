/** Results longer than what was paid for cost the operator money: a few of them block an account for a day. */
import { expect, test } from 'vitest';
import { longResultsPerDay } from '../../shared/contracts/limits.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests } from '../support/test-service.ts';

const balance = 1000;
const hour = 3_600_000;
const day = 24 * hour;

const clock = stillClock();
// It is 18:00, so six hours of the day are left.
clock.advance(day - (clock.now() % day) + 18 * hour);
const host = await serviceInTests({ clock });
const account = await host.account({ credits: balance, planId: 'pro' });

const finishLonger = (moreSeconds: number) =>
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job, moreSeconds) }) });

const bodies = (): Partial<Record<OperationId, object>> => {
  const { audio, image, video } = host.engine.inputUrls;
  return {
    changeVoice: { audioUrl: audio, voice: 'sarah' },
    imitateVideo: { characterImage: image, motionVideo: video },
    generateCortes: { videoUrl: video },
  };
};

const request = (operationId: OperationId, headers: Record<string, string> = {}, { token } = account) =>
  host.call(operationId, { token, body: bodies()[operationId], headers });

const taskIdOf = async (operationId: OperationId, headers: Record<string, string> = {}, owner = account) => {
  const response = await request(operationId, headers, owner);
  expect(response.status, response.text).toBe(202);
  return (response.body.data as { taskId: string }).taskId;
};

test('after five results longer than was paid for, an account’s operations priced by a file’s length are rejected that day', async () => {
  finishLonger(2);
  const key = { 'idempotency-key': 'the first one' };
  const first = await taskIdOf('changeVoice', key);
  expect(await host.ended(account.token, first)).toMatchObject({ status: 'failed', creditsRefunded: 2 });
  for (let count = 1; count < longResultsPerDay; count += 1) {
    const taskId = await taskIdOf(count % 2 === 0 ? 'changeVoice' : 'imitateVideo');
    expect(await host.ended(account.token, taskId)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } });
  }
  finishLonger(0);
  for (const operationId of Object.keys(bodies()) as OperationId[]) {
    for (const headers of [{}, { 'x-dry-run': 'true' }]) {
      const { status, body, headers: received } = await request(operationId, headers);
      expect([status, body.error?.code], operationId).toEqual([429, 'RATE_LIMITED']);
      expect(body.error?.message).toMatch(
        /^5 tasks of the account counted as longer than what was paid for today \(UTC\)/,
      );
      expect(received['retry-after']).toBe(String((6 * hour) / 1000));
    }
  }
  // The file is not measured in this test, so it does not matter that it has no audio.
  const silent = { audioUrl: host.engine.inputUrls.image, voice: 'sarah' };
  const unmeasured = await host.call('changeVoice', { token: account.token, body: silent });
  expect(unmeasured.status, unmeasured.text).toBe(429);
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: longResultsPerDay });

  expect(await taskIdOf('changeVoice', key)).toBe(first);
  await host.ended(account.token, await host.speak(account.token));

  clock.advance(6 * hour - 1);
  expect((await request('changeVoice')).status).toBe(429);
  clock.advance(1);
  await host.ended(account.token, await taskIdOf('changeVoice'));
  await host.audit();
});

test('after a result longer than was paid for, an account can have only one open task priced by a file’s length for 30 days', async () => {
  const other = await host.account({ credits: balance, planId: 'pro' });
  finishLonger(2);
  await host.ended(other.token, await taskIdOf('changeVoice', {}, other));
  host.engine.play({});
  const open = await taskIdOf('changeVoice', {}, other);
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const { status, body, headers: received } = await request('imitateVideo', headers, other);
    expect([status, body.error?.code]).toEqual([429, 'MAX_CONCURRENT_TASKS']);
    expect(body.error?.message).toMatch(
      /^A task of the account counted as longer than what was paid for in the last 30/,
    );
    expect(received['retry-after']).toBe('5');
  }
  await host.speak(other.token);
  await host.call('cancelTask', { token: other.token, params: { taskId: open } });
  await taskIdOf('imitateVideo', {}, other);
  clock.advance(30 * day + 1);
  await taskIdOf('changeVoice', {}, other);
});
