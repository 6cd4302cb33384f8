/** Operations under a session: which users and origins are admitted, how often and for how long. */
import { describe, expect, test } from 'vitest';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import { account, call, given, host, startSessionScene } from './session-scene.ts';

await startSessionScene();

const shared = Object.values<OperationContract>(registry).filter(({ dashboard }) => dashboard);

test('exactly the intended operations of the API can also be called with a session', () => {
  expect(shared.map(({ operationId }) => operationId).toSorted()).toEqual([
    'cancelTask',
    'completeFile',
    'createCreditOrder',
    'createFile',
    'createStudioAvatar',
    'createStudioProduct',
    'createSubscription',
    'deleteTask',
    'generateBatch',
    'getOrder',
    'getProfile',
    'getStudioCatalog',
    'getSubscription',
    'getTask',
    'getUsage',
    'hideComment',
    'likeComment',
    'listCommentedPosts',
    'listComments',
    'listConversations',
    'listCreditHistory',
    'listMessages',
    'listOrders',
    'listPlans',
    'listStudioProducts',
    'listTaskEvents',
    'listTasks',
    'listVoices',
    'markConversationRead',
    'redeliverWebhook',
    'replyToComment',
    'sendMessage',
    'unhideComment',
    'unlikeComment',
  ]);
});

test('the published contract of the API does not mention the dashboard', async () => {
  const published = await (await fetch(`${host.url}/openapi.json`)).text();
  expect(published).toContain('/api/v1/profile');
  expect(published).not.toContain('/account/api');
});

test('a session gets the same profile as a token of its account', async () => {
  const underToken = await host.call('getProfile', { token: account.token });
  const underSession = await call('getProfile');
  expect(underSession.body).toEqual(underToken.body);
});

describe('a dashboard session', () => {
  test('admits 120 requests in a minute, and then says when to retry', async () => {
    const responses = await Promise.all(Array.from({ length: 125 }, () => call('getProfile')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(120);
    const limited = await call('getProfile');
    expect([limited.status, limited.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    host.clock.advance(1000 * Number(limited.headers['retry-after']));
    expect((await call('getProfile')).status).toBe(200);
  });

  test('ends after twelve hours', async () => {
    host.clock.advance(12 * 3_600_000 - 60_000);
    expect((await call('getProfile')).status).toBe(200);
    host.clock.advance(60_000);
    expect((await call('getProfile')).status).toBe(401);
  });

  test('ends when its owner logs out, and its cookie is deleted', async () => {
    const response = await call('logOut');
    expect(response.status).toBe(200);
    expect(response.cookies).toEqual(['session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
    expect((await call('getProfile')).status).toBe(401);
    expect((await call('logOut')).status).toBe(401);
  });

  test('ends with a log-out even if the index of sessions does not have it yet', async () => {
    const { context } = host.service;
    const lagging = { ...context, table: { ...context.table, list: async () => [] } };
    await host.withContext(lagging, async () => {
      expect((await call('logOut')).status).toBe(200);
    });
    expect((await call('getProfile')).status).toBe(401);
  });

  test('is listed with the others of its account until it has ended', async () => {
    const other = await giveSession(host.service.context, account.accountId, { kind: 'social', provider: 'Google' });
    const listed = async () => {
      const { sessions } = (await call('listSessions')).body.data as {
        sessions: { sessionId: string; isCurrent: boolean }[];
      };
      return sessions.map(({ sessionId, isCurrent }) => [sessionId, isCurrent]);
    };
    const [own, theirs] = [given.session.sessionId, other.session.sessionId];
    expect(await listed()).toEqual([
      [theirs, false],
      [own, true],
    ]);
    const params = { sessionId: theirs };
    expect((await call('revokeSession', { params })).status).toBe(200);
    expect((await callAsPage(host.url, 'getProfile', { cookie: other.cookie })).status).toBe(401);
    expect((await call('revokeSession', { params })).status).toBe(404);
    expect(await listed()).toEqual([[own, true]]);
  });

  test('of another account cannot be ended, and gets the same response as an unknown one', async () => {
    const other = await host.account();
    const theirs = await giveSession(host.service.context, other.accountId);
    const response = await call('revokeSession', { params: { sessionId: theirs.session.sessionId } });
    const missing = await call('revokeSession', { params: { sessionId: host.service.context.ids.next() } });
    expect([response.status, response.text]).toEqual([404, missing.text]);
    expect((await callAsPage(host.url, 'getProfile', { cookie: theirs.cookie })).status).toBe(200);
  });

  test('is rejected if its cookie is sent twice, is malformed or is unknown', async () => {
    const unknown = given.cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const cookie of [`${given.cookie}; ${unknown}`, `${given.cookie}0`, unknown, 'session=', 'session']) {
      expect((await call('getProfile', { cookie })).status, cookie.length.toString()).toBe(401);
    }
    expect((await call('getProfile', { cookie: `theme=dark; ${given.cookie}; a=b` })).status).toBe(200);
  });
});

describe('a browser that does not send Sec-Fetch-Site', () => {
  test('may write from the dashboard’s origin and from no other', async () => {
    const { dashboardUrl } = host.service.context.settings;
    const post = async (origin?: string) => {
      const response = await fetch(`${host.url}/account/api/logout`, {
        method: 'POST',
        headers: { cookie: given.cookie, 'content-type': 'application/json', ...(origin && { origin }) },
        body: '{}',
      });
      return response.status;
    };
    expect(await post()).toBe(403);
    expect(await post('null')).toBe(403);
    expect(await post(dashboardUrl.replace(/\d+$/, '1'))).toBe(403);
    expect(await post(`${dashboardUrl}.example.com`)).toBe(403);
    expect(await post(dashboardUrl)).toBe(200);
  });
});
