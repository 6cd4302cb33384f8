/** Test tokens: what they create and spend is separate from what live tokens of the account create and spend. */
import { expect, test } from 'vitest';
import { testPurseCredits } from '../../shared/contracts/limits.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { secondsToMidnight } from '../../shared/platform/clock.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import type { TestAccount } from '../support/test-service.ts';
import {
  amounts,
  clock,
  context,
  data,
  ended,
  history,
  host,
  live,
  speak,
  startTestModeScene,
  taskIds,
  tests,
} from './test-mode-scene.ts';

await startTestModeScene();

test('a task of a test token costs test credits, is listed for test tokens alone, and is shown as a test', async () => {
  const taskId = await host.speak(tests.token);
  const ofLive = await host.speak(live.token);
  expect([await taskIds(tests), await taskIds(live)]).toEqual([[taskId], [ofLive]]);
  expect(await history(tests)).toMatchObject({ balance: testPurseCredits - 1 });
  expect(await history(live)).toMatchObject({ balance: 49 });
  expect([await host.task(tests.token, taskId), await host.task(live.token, ofLive)]).toMatchObject([
    { test: true },
    expect.not.objectContaining({ test: expect.anything() }),
  ]);
  await data('cancelTask', tests, { params: { taskId } });
  expect(await amounts(tests)).toEqual([
    [1, 'refund'],
    [-1, 'generation'],
    [testPurseCredits, 'adjustment'],
  ]);
  const usage = (of: TestAccount) => data('getUsage', of, { query: 'groupBy=taskType' });
  expect(await usage(tests)).toMatchObject({ rows: [{ tasks: 1, failed: 1 }] });
  expect(await usage(live)).toMatchObject({ rows: [{ tasks: 1, failed: 0 }] });
});

test('test credits are refilled after midnight in UTC, before they are used or shown', async () => {
  // Daily credits that are complete are left unchanged.
  clock.advance(86_400_000);
  expect(await amounts(tests)).toEqual([[testPurseCredits, 'adjustment']]);
  await context.accounts.post({
    id: context.ids.next(),
    accountId: tests.accountId,
    amount: -testPurseCredits,
    reason: 'adjustment',
    at: clock.now(),
  });
  expect((await speak(tests, 'Um.')).status).toBe(402);
  clock.advance(1000 * secondsToMidnight(clock.now()));
  const dryRun = await speak(tests, 'Um.', { 'x-dry-run': 'true' });
  expect(dryRun.body.data).toMatchObject({ balance: testPurseCredits });
  expect((await speak(tests, 'Um.')).status).toBe(202);
  expect((await amounts(tests)).slice(0, 2)).toEqual([
    [-1, 'generation'],
    [testPurseCredits, 'adjustment'],
  ]);
  clock.advance(86_400_000);
  expect(await history(tests)).toMatchObject({ balance: testPurseCredits });
  expect(await amounts(tests)).toContainEqual([1, 'adjustment']);
});

test('concurrent requests refill test credits once when a refill is due', async () => {
  await ended(await host.speak(tests.token));
  clock.advance(86_400_000);
  const responses = await Promise.all(Array.from({ length: 8 }, () => speak(tests, 'Um.')));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
  expect((await amounts(tests)).filter(([, reason]) => reason === 'adjustment')).toEqual([
    [1, 'adjustment'],
    [testPurseCredits, 'adjustment'],
  ]);
});

test('an owner’s first fill-up in the dashboard creates the test credits once, and a later one refills them', async () => {
  const { cookie } = await giveSession(context, live.accountId);
  const page = (id: 'fillTestCredits' | 'listTokens', of = cookie) => callAsPage(host.url, id, { cookie: of });
  await host.speak(tests.token);
  expect((await page('listTokens')).body.data).toMatchObject({
    testCredits: testPurseCredits - 1,
    tokens: [{ mode: 'test' }, { mode: 'live' }],
  });
  expect((await page('fillTestCredits')).body.data).toEqual({ testCredits: testPurseCredits });
  expect((await amounts(tests))[0]).toEqual([1, 'adjustment']);
  const { accountId } = await host.account();
  const other = await giveSession(context, accountId);
  expect((await page('listTokens', other.cookie)).body.data).toMatchObject({ testCredits: null });
  const fills = await Promise.all(Array.from({ length: 4 }, () => page('fillTestCredits', other.cookie)));
  expect(fills.map(({ body }) => body.data)).toEqual(fills.map(() => ({ testCredits: testPurseCredits })));
});

test('every response to a test token, errors included, says that it is a test, and none to a live token does', async () => {
  const marks = async ({ token }: TestAccount) => {
    const unknown = { token, params: { taskId: context.ids.next() } };
    const calls = [
      host.call('getProfile', { token }),
      host.call('getTask', unknown),
      host.call('listTasks', { token, query: 'limit=x' }),
      host.call('listOrders', { token }),
    ];
    return (await Promise.all(calls)).map(({ headers }) => headers['x-test-mode']);
  };
  expect(await marks(tests)).toEqual(['true', 'true', 'true', 'true']);
  expect(await marks(live)).toEqual([undefined, undefined, undefined, undefined]);
  const responses = await Promise.all(
    Array.from({ length: 57 }, () => host.call('getProfile', { token: tests.token })),
  );
  const last = responses.find(({ status }) => status === 429);
  expect(last?.headers['x-test-mode']).toBe('true');
  expect((await host.call('getProfile', { token: live.token })).status).toBe(200);
});

test('a test token has the current owner and plan of its account', async () => {
  const product = { images: [host.engine.inputUrls.image] };
  const create = () => host.call('createStudioProduct', { token: tests.token, body: product });
  expect(await data('getProfile', tests)).toMatchObject({ id: live.accountId, features: [] });
  expect((await create()).status).toBe(403);
  await context.table.update({
    Key: accountKey(live.accountId),
    UpdateExpression: 'SET features = :features',
    ExpressionAttributeValues: { ':features': ['studio', 'cortes'] },
  });
  expect(await data('getProfile', tests)).toMatchObject({ features: ['cortes', 'studio'] });
  // In test mode, the texts of a product are fixed.
  expect((await create()).body.data).toMatchObject({ title: 'TEST product' });
  // No video site is called.
  const videoUrl = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  const clips = await host.call('generateCortes', { token: tests.token, body: { videoUrl } });
  expect(clips.status).toBe(202);
});

test('one idempotency key of a test token and of a live token counts as two different keys', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const [first, other] = [await speak(tests, 'Um.', headers), await speak(live, 'Um.', headers)];
  expect([first.status, other.status]).toEqual([202, 202]);
  expect(other.text).not.toBe(first.text);
  expect((await speak(tests, 'Um.', headers)).text).toBe(first.text);
});
