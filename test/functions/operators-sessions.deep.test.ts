/** Operators see and end their own sessions; administrators end those of others, which the log has. */
import { beforeEach, describe, expect, test } from 'vitest';
import { performers } from '../../shared/contracts/operate-acts.ts';
import { operatorSessionsOwner } from '../../shared/domain/index-keys.ts';
import { endAllOfOperator, endOldestOfOperator } from '../../shared/domain/operator-sessions/operator-session-store.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { walkOwned } from '../../shared/domain/walk-index.ts';
import { callAsOperator, type GivenOperator, giveOperator } from '../support/given-operator.ts';
import { callAsPage, callPage } from '../support/given-session.ts';
import { giveView } from '../support/given-view.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
const { clock, url } = host;
const { context } = host.service;
const { table } = context;

/** An operator with an address of their own, who logs in once for each given role. */
let count = 0;
let email: string;
let mine: GivenOperator;
let other: GivenOperator;
beforeEach(async () => {
  count += 1;
  email = `Operator${count}@example.com`;
  other = await giveOperator(context, 'support', email);
  clock.advance(1000);
  mine = await giveOperator(context, 'support', email);
});

const statusOf = async ({ cookie }: Pick<GivenOperator, 'cookie'>) =>
  (await callAsOperator(url, 'getOperator', { cookie })).status;

interface Listed {
  readonly sessionId: string;
  readonly isCurrent: boolean;
}
async function listed({ cookie }: GivenOperator): Promise<readonly Listed[]> {
  const { body } = await callAsOperator(url, 'listOperatorSessions', { cookie });
  return (body.data as { sessions: readonly Listed[] }).sessions;
}
const idsOf = async (by: GivenOperator) => (await listed(by)).map(({ sessionId }) => sessionId);

const end = async (by: GivenOperator, { session: { sessionId } }: GivenOperator) =>
  (await callAsOperator(url, 'endOwnSession', { cookie: by.cookie, params: { sessionId } })).status;

/** Ends the sessions of the operator, as another one. */
const endAs = async (role: 'support' | 'admin', operator: string) => {
  const { cookie } = await giveOperator(context, role, 'chief@example.com');
  return callPage(url, performers.admin, {
    params: { act: 'endOperatorSessions' },
    body: { reason: 'A lost computer.', input: { operator } },
    cookie,
    headers: { 'idempotency-key': context.ids.next() },
  });
};

describe('the sessions of an operator', () => {
  test('are listed newest first, with their browser and times, without those of other operators', async () => {
    await giveOperator(context, 'support', `other-${email}`);
    const at = (ms: number) => new Date(ms).toISOString();
    const now = clock.now();
    expect(await listed(mine)).toEqual([
      {
        sessionId: mine.session.sessionId,
        userAgent: 'test',
        createdAt: at(now),
        lastSeenAt: at(now),
        endsAt: at(now + 8 * 3_600_000),
        isCurrent: true,
      },
      expect.objectContaining({ sessionId: other.session.sessionId, lastSeenAt: at(now - 1000), isCurrent: false }),
    ]);
  });

  test('are no longer listed when they have ended in any way', async () => {
    clock.advance(29 * 60_000);
    expect(await statusOf(mine)).toBe(200);
    clock.advance(2 * 60_000);
    expect(await idsOf(mine)).toEqual([mine.session.sessionId]);
    const last = await giveOperator(context, 'support', email);
    await callAsOperator(url, 'logOutOperator', { cookie: mine.cookie });
    expect(await idsOf(last)).toEqual([last.session.sessionId]);
  });

  test('are at most 100: further log-ins end the oldest', async () => {
    for (let more = 0; more < 100; more += 1) await giveOperator(context, 'support', email);
    await endOldestOfOperator(table, email, clock.now());
    const last = await giveOperator(context, 'viewer', email.toUpperCase());
    expect([await statusOf(other), await statusOf(mine)]).toEqual([401, 401]);
    expect((await idsOf(last)).length).toBe(100);
  });
});

describe('an operator ends', () => {
  test('one of their sessions, once', async () => {
    expect(await end(mine, other)).toBe(200);
    expect([await statusOf(other), await statusOf(mine)]).toEqual([401, 200]);
    expect(await end(mine, other)).toBe(404);
  });

  test('no session of another operator, not even as an administrator', async () => {
    const admin = await giveOperator(context, 'admin');
    expect(await end(admin, other)).toBe(404);
    expect(await statusOf(other)).toBe(200);
  });

  test('all others, but not the one that asks, nor those of anybody else', async () => {
    const stranger = await giveOperator(context, 'support', `other-${email}`);
    const ended = await callAsOperator(url, 'endOtherSessions', { cookie: mine.cookie });
    expect(ended.body.data).toEqual({ sessionsEnded: 1 });
    expect(await Promise.all([other, mine, stranger].map(statusOf))).toEqual([401, 200, 200]);
  });

  test('the view of a session together with the session', async () => {
    const { accountId } = await host.account();
    const { request } = await giveView(host, accountId, { operator: other.cookie });
    const viewStatus = async () => (await callAsPage(url, 'getSession', request)).status;
    expect(await viewStatus()).toBe(200);
    await end(mine, other);
    expect(await viewStatus()).toBe(401);
  });
});

describe('an administrator ends all sessions of another operator', () => {
  test('with a reason, which the log has with how many they were', async () => {
    expect((await endAs('admin', email.toUpperCase())).status).toBe(200);
    expect(await Promise.all([other, mine].map(statusOf))).toEqual([401, 401]);
    const [entry] = await actLog(table).list({ limit: 1 });
    expect(entry).toMatchObject({
      act: 'endOperatorSessions',
      operatorName: 'chief@example.com',
      subject: `operator ${email.toLowerCase()}`,
      reason: 'A lost computer.',
      state: 'done',
      before: { sessions: 2 },
      after: { sessionsEnded: 2 },
    });
    expect((await endAs('admin', email)).body.data).toMatchObject({ after: { sessionsEnded: 0 } });
  });

  test('which support cannot', async () => {
    expect((await endAs('support', email)).status).toBe(403);
    expect(await statusOf(other)).toBe(200);
  });

  test('even those that begin while the others are being ended', async () => {
    const owner = operatorSessionsOwner(email);
    let late: GivenOperator | undefined;
    const racing = {
      ...table,
      async *walk(...given: Parameters<typeof table.walk>) {
        yield* table.walk(...given);
        late ??= await giveOperator(context, 'support', email);
      },
    };
    expect(await endAllOfOperator(racing, email, clock.now())).toBe(3);
    expect(await statusOf(late ?? mine)).toBe(401);
    expect(await Array.fromAsync(walkOwned(table, owner))).toHaveLength(3);
  });
});
