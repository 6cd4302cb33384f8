/** Processes that close and erase accounts die after one of their changes, and the schedule goes on from there. */
import { randomInt } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import { closeAccount, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import { kindOfRow } from '../../../shared/domain/privacy/register.ts';
import { advanceClosures } from '../../../shared/domain/privacy/run-closures.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { closureNeeds } from '../../support/closure-needs.ts';
import { eventually } from '../../support/eventually.ts';
import { giveFullAccount } from '../../support/given-full-account.ts';
import { storedItems } from '../../support/stored-items.ts';
import { storedKeys } from '../../support/stored-keys.ts';
import { testService } from '../../support/test-service.ts';
import { dyingService } from './dying-service.ts';

const host = await testService({ hasIdentity: true });
const { context, environment } = host.service;
const dying = await dyingService(host);
afterAll(async () => {
  await host.close();
  await dying.close();
});

/** Longer than the schedule leaves an account alone on which a process died. */
const retryMs = 16 * 60_000;

type Given = Awaited<ReturnType<typeof give>>;

/** An account with something of every kind, a task that has ended, one that is open, and a subscription. */
async function give() {
  const canary = `canary${context.ids.secret(8)}`;
  const made = await giveFullAccount(host, canary);
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const ended = await host.speak(made.token);
  await eventually('the end of a task', async () => (await context.tasks.find(ended))?.endedAt);
  host.engine.play({});
  const open = await host.speak(made.token);
  await host.engine.jobOf(open);
  const taskIds = [ended, open];
  const { pay, subscribe } = subscriptionScene(host, made);
  await pay(await subscribe());
  return { ...made, canary, taskIds };
}

/** What is left of an account: the kinds of its rows, its ledger, and its objects. */
async function leftOf({ accountId, canary, fileId, identified, taskIds }: Given) {
  const now = host.clock.now();
  const rows = [...(await storedItems(environment)).values()].map((item) => unmarshall(item));
  const own = rows.filter((row) => {
    const text = JSON.stringify(row, (_, value) => (value instanceof Set ? [...value] : value));
    const isLive = row.expiresAt === undefined || Number(row.expiresAt) * 1000 > now;
    return isLive && [accountId, canary, ...taskIds].some((word) => text.includes(word));
  });
  const objects = await Promise.all(
    [accountId, fileId, ...taskIds].map((id) => storedKeys(environment.AWS_ENDPOINT_URL_S3, id)),
  );
  const ledger = await context.ledger.list(accountId, { limit: 100, offset: 0 });
  const { balance, name, email, openTasks } = (await context.accounts.find(accountId)) ?? {};
  return {
    kinds: [...new Set(own.map((row) => String(kindOfRow(row))))].toSorted(),
    withText: own.filter((row) => JSON.stringify(row).includes(canary)).map(kindOfRow),
    account: { balance, name, email, openTasks },
    ledger: ledger.map(({ amount, reason }) => `${reason} ${amount}`).toSorted(),
    objects: objects.flat().filter((key) => !key.includes('erased-accounts/')),
    hasUser: host.service.identity?.users.findByName(identified.username) !== undefined,
  };
}

/** The process that may die does what is due; if it dies, the schedule starts another one later. */
async function advance(): Promise<void> {
  await advanceClosures(closureNeeds(dying.context)).catch(() => undefined);
}

const isErased = async (accountId: string) => (await context.accounts.find(accountId))?.erasedAt !== undefined;

/** Whatever the closing got to, the account is closed and can be opened again. */
async function reopen(accountId: string): Promise<void> {
  expect(await context.accounts.find(accountId)).toMatchObject({ closing: {} });
  expect(await reopenAccount(context, accountId)).toBe(true);
  const { token } = await host.token(accountId);
  expect((await host.call('getProfile', { token })).status).toBe(200);
  expect(await closeAccount(context, accountId)).toBe(true);
}

/** Closes and erases an account while the process dies after some changes; false if there were fewer. */
async function eraseWithDeath(changes: number): Promise<{ readonly hasDied: boolean; readonly left: object }> {
  const given = await give();
  const { accountId } = given;
  let hasDied = false;
  /** Another process takes over from one that has died. */
  const takeOver = async (check: () => Promise<void>) => {
    if (!dying.isDead) return;
    hasDied = true;
    dying.revive();
    await check();
    host.clock.advance(retryMs);
  };
  dying.dieAfter(changes);
  await closeAccount(dying.context, accountId).catch(() => undefined);
  await takeOver(() => reopen(accountId));
  await advance();
  await takeOver(() => reopen(accountId));
  await advance();
  host.clock.advance(closedAccountDays * 86_400_000);
  const isFinal = async () => expect(await reopenAccount(context, accountId)).toBe(false);
  const erasure = async () => {
    await advance();
    await takeOver(isFinal);
    if (await isErased(accountId)) return true;
    host.clock.advance(61_000);
    await host.service.invoke('scheduleInboxSyncs', {});
    return undefined;
  };
  await eventually('the erasure', erasure);
  for (let times = 0; times < 3; times += 1) {
    host.clock.advance(2 * 3_600_000);
    await advance();
    // Completes the deletion of a task that was interrupted.
    await host.service.invoke('sweepTasks', {});
    await takeOver(isFinal);
  }
  dying.revive();
  await isFinal();
  return { hasDied, left: await leftOf(given) };
}

/**
 * Most changes resemble the ones beside them, so that a short run has a death after every eighth change only: in CI
 * after the same ones in each run, otherwise from a random one on. With `MODEL_RUNS` there is one after every change.
 */
const changesBetweenDeaths = 8;
const short = [process.env.CI ? 0 : randomInt(changesBetweenDeaths)];
const firsts = process.env.MODEL_RUNS ? [...Array(changesBetweenDeaths).keys()] : short;

test.for(firsts)(
  'an account is closed and erased as if nothing had happened if a process dies after change %i, or every eighth after it',
  async (first) => {
    const { left, hasDied } = await eraseWithDeath(10_000);
    expect(hasDied).toBe(false);
    const account = { name: '', email: '', openTasks: [] };
    expect(left).toMatchObject({ withText: [], objects: [], hasUser: false, account });
    let changes = first;
    for (; ; changes += changesBetweenDeaths) {
      const one = await eraseWithDeath(changes);
      if (!one.hasDied) break;
      expect(one.left, `dead after change ${changes}`).toEqual(left);
    }
    expect(changes).toBeGreaterThan(30);
    await host.audit();
  },
);
