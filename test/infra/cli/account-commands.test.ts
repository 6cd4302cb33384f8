import { createHash } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { longResultsPerDay, observationDays } from '../../../shared/contracts/limits.ts';
import { countCancel } from '../../../shared/domain/accounts/cancels.ts';
import { countChargedFailure } from '../../../shared/domain/accounts/charged-failures.ts';
import { addLongResult } from '../../../shared/domain/accounts/long-results.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { invitationKey } from '../../../shared/domain/keys.ts';
import { dayMs, midnightBefore, timestamp } from '../../../shared/platform/clock.ts';
import { callAsPage, giveSession } from '../../support/given-session.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();

afterAll(() => service.close());

const create = (...more: string[]) => ['account', 'create', '--email', 'ana@example.com', '--name', 'Ana', ...more];
const createAgain = (...more: string[]) => create('--replace', ...more);

it('`account create` stores the credits in the ledger and the features of the plan', async () => {
  const { accountId } = await service.done<{ accountId: string }>(...createAgain('--credits', '500', '--plan', 'pro'));

  const account = await service.context.accounts.find(accountId);
  expect(account).toMatchObject({ email: 'ana@example.com', name: 'Ana', balance: 500, planId: 'pro' });
  expect(account?.features).toEqual(['cortes', 'studio']);
  const ledger = await service.context.ledger.list(accountId, { limit: 10, offset: 0 });
  expect(ledger).toMatchObject([{ amount: 500, reason: 'bonus' }]);
});

it('`account create` grants no credits and no plan by default, and prints the account’s id', async () => {
  const { exitCode, stdout, stderr } = await service.admin(createAgain());

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const accountId = /^accountId {2}(\S+)\n$/.exec(stdout)?.[1] ?? '';
  expect(await service.done('account', 'show', '--account', accountId)).toEqual({
    accountId,
    email: 'ana@example.com',
    name: 'Ana',
    balance: 0,
    plan: null,
    closedAt: null,
    eraseAt: null,
    erasedAt: null,
    openTasks: [],
    resultsDays: null,
    inputsDays: null,
    openFileTasks: [],
    canceledToday: 0,
    cancelsRejectedUntil: null,
    chargedFailuresToday: 0,
    chargedTasksRejectedUntil: null,
    fileTasksRejectedUntil: null,
    fileTasksLimitedUntil: null,
    limitsLiftedAt: null,
    limitsLiftedBecause: null,
  });
});

it('`account invite` invites an address to an existing account or to a new one, but not to a missing one', async () => {
  const { accountId } = await service.done<{ accountId: string }>(...createAgain());
  const rowOf = (email: string) => {
    const digest = createHash('sha256').update(email).digest('base64url');
    return service.context.table.get(invitationKey(digest));
  };
  expect(await rowOf('ana@example.com')).toMatchObject({ accountId });
  await service.done('account', 'invite', '--email', 'Bia@Example.com', '--account', accountId);
  expect(await rowOf('bia@example.com')).toMatchObject({ accountId });
  await service.done('account', 'invite', '--email', 'caio@example.com');
  expect(await rowOf('caio@example.com')).not.toHaveProperty('accountId');

  const missing = '01939f3a-0000-7000-8000-000000000000';
  const { exitCode } = await service.admin(['account', 'invite', '--email', 'dora@example.com', '--account', missing]);
  expect(exitCode).not.toBe(0);
  expect(await rowOf('dora@example.com')).toBeUndefined();
});

it('`account create` creates no second account or invitation for an invited address unless told to', async () => {
  const owner = ['--email', 'eva@example.com'];
  const createEva = ['account', 'create', ...owner, '--name', 'Eva', '--credits', '500'];
  const { accountId } = await service.done<{ accountId: string }>(...createEva);
  const other = await service.newAccount();
  const accounts = await Array.fromAsync(service.context.accounts.ids());
  const key = invitationKey(createHash('sha256').update('eva@example.com').digest('base64url'));
  const pending = await service.context.table.get(key);

  for (const command of [
    createEva,
    ['account', 'invite', ...owner, '--account', other],
    ['account', 'invite', ...owner],
  ]) {
    const { exitCode, stdout, stderr } = await service.admin(command);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`The address has an invitation to account ${accountId}, which is valid until 20`);
    expect(stderr).toContain('nothing was changed, because it was not to be replaced');
  }
  expect(await service.context.table.get(key)).toEqual(pending);
  expect(await Array.fromAsync(service.context.accounts.ids())).toEqual(accounts);

  await service.done('account', 'invite', ...owner, '--account', other, '--replace');
  expect(await service.context.table.get(key)).toMatchObject({ accountId: other });
});

it.each([
  [
    'an e-mail address without @',
    ['--email', 'ana.example.com', '--name', 'Ana'],
    '--email must be an e-mail address with one @',
  ],
  ['an e-mail address with two @', ['--email', 'a@b@c', '--name', 'Ana'], '--email must be'],
  ['an e-mail address without a local part', ['--email', '@example.com', '--name', 'Ana'], '--email must be'],
  ['an e-mail address with a space', ['--email', 'an a@example.com', '--name', 'Ana'], '--email must be'],
  [
    'an e-mail address of 255 characters',
    ['--email', `${'a'.repeat(243)}@example.com`, '--name', 'Ana'],
    '--email must be',
  ],
  ['a blank name', ['--email', 'a@b', '--name', '  '], '--name must be a string of 1 to 120 characters'],
  ['a name of 121 characters', ['--email', 'a@b', '--name', 'n'.repeat(121)], '--name must be a string of 1 to 120'],
  ['negative credits', create('--credits', '-1').slice(2), '--credits must be an integer from 0 to 10,000'],
  ['half a credit', create('--credits', '0.5').slice(2), '--credits must be'],
  ['too many credits', create('--credits', '10001').slice(2), '--credits must be'],
  ['a missing e-mail address', ['--name', 'Ana'], '--email is required'],
])('`account create` rejects %s', async (_, options, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(['account', 'create', ...options]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).toContain('Run "npm run admin -- account create --help" for usage.');
});

it('`account create` rejects a plan that is not in the catalog', async () => {
  const before = await Array.fromAsync(service.context.accounts.ids());
  const { exitCode, stdout, stderr } = await service.admin(create('--plan', 'gold'));

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--plan must be one of starter, pro, business.');
  expect(await Array.fromAsync(service.context.accounts.ids())).toEqual(before);
});

it('`account create` accepts names and credits at their limits', async () => {
  const options = ['--email', 'a@b', '--name', '🙂'.repeat(120), '--credits', '10000'];
  const { accountId } = await service.done<{ accountId: string }>('account', 'create', ...options);

  expect(await service.context.accounts.find(accountId)).toMatchObject({ balance: 10_000 });
});

it('`account list` lists all accounts, oldest first, even if they fill several pages', async () => {
  const opened: string[] = [];
  for (let count = 0; count < 30; count += 1) opened.push(service.context.ids.next());
  const account = { email: 'a@b', name: 'Many', balance: 0, openTasks: [], features: [], createdAt: 0 };
  for (const accountId of opened) await service.context.accounts.insert({ ...account, accountId }, undefined);

  const { accounts } = await service.done<{ accounts: { accountId: string }[] }>('account', 'list');
  expect(accounts.slice(-30).map(({ accountId }) => accountId)).toEqual(opened);
  expect(accounts.at(-1)).toEqual({ accountId: opened.at(-1), email: 'a@b', name: 'Many', balance: 0, plan: null });

  const { stdout } = await service.admin(['account', 'list']);
  const [heading = '', ...rows] = stdout.trimEnd().split('\n');
  expect(heading.split(/\s+/)).toEqual(['accountId', 'email', 'name', 'balance', 'plan']);
  expect(rows).toHaveLength(accounts.length);
});

it('`account show` shows the open tasks of an account', async () => {
  const accountId = await service.newAccount(10);
  const { taskId } = await service.newTask(accountId);

  expect(await service.done('account', 'show', '--account', accountId)).toMatchObject({
    balance: 9,
    openTasks: [taskId],
  });
  const { stdout } = await service.admin(['account', 'show', '--account', accountId]);
  expect(stdout).toMatch(new RegExp(`^openTasks +${taskId}$`, 'm'));
});

it('`account show` says until when cancels are rejected once as many tasks were canceled as may be', async () => {
  const accountId = await service.newAccount(10);
  const { table } = service.context;
  const show = async () => (await service.admin(['account', 'show', '--account', accountId])).stdout;
  const at = service.context.clock.now();
  const cancels = async (count: number, credits: number) =>
    table.transact([
      updateAccount(accountId, [
        { set: ['cancels = :cancels'], values: { ':cancels': { day: midnightBefore(at), count, credits } } },
      ]),
    ]);
  await cancels(19, 19);
  expect(await show()).toMatch(/^canceledToday +19; the account may cancel more$/m);
  const until = `cancels are rejected until ${timestamp(midnightBefore(at) + dayMs)}`;
  await cancels(20, 20);
  expect(await show()).toMatch(new RegExp(`^canceledToday +20 of 20; ${until}$`, 'm'));
  await cancels(5, 1000);
  expect(await show()).toMatch(new RegExp(`^canceledToday +5, which cost as much as is allowed; ${until}$`, 'm'));
});

it('`account lift-limits` resets the limits after cancellations, charged failures and long results, and `account show` shows the reason', async () => {
  const accountId = await service.newAccount(10);
  const now = service.context.clock.now();
  const longResult = () => service.context.table.transact([updateAccount(accountId, [addLongResult(now)])]);
  for (let count = 0; count < longResultsPerDay; count += 1) await longResult();
  const cancel = { accountId, at: now, credits: 1, isByFile: false, isLimited: true };
  const { table } = service.context;
  const counted = [...(await countCancel(table, {}, cancel)), ...(await countChargedFailure(table, {}, cancel))];
  await table.transact([updateAccount(accountId, counted)]);
  const limits = {
    canceledToday: 1,
    chargedFailuresToday: 1,
    chargedTasksRejectedUntil: null,
    fileTasksRejectedUntil: expect.any(String),
    fileTasksLimitedUntil: timestamp(now + observationDays * dayMs),
  };
  const show = () => service.done('account', 'show', '--account', accountId);
  expect(await show()).toMatchObject(limits);

  const lift = ['account', 'lift-limits', '--account', accountId, '--reason', 'outage of the engine'];
  expect(await service.done(...lift)).toEqual({ accountId, ...limits });
  expect(await show()).toMatchObject({
    canceledToday: 0,
    chargedFailuresToday: 0,
    fileTasksRejectedUntil: null,
    fileTasksLimitedUntil: null,
    limitsLiftedAt: expect.any(String),
    limitsLiftedBecause: 'outage of the engine',
  });
  expect((await service.admin(lift)).stdout).toMatch(/was under no limits/);
});

it('ending an account’s sessions ends all of its sessions at once, and none of another account', async () => {
  const [accountId, other] = [await service.newAccount(), await service.newAccount()];
  const sessions = [
    await giveSession(service.context, accountId),
    await giveSession(service.context, accountId, { kind: 'social', provider: 'Google' }),
    await giveSession(service.context, other),
  ];
  const statuses = () =>
    Promise.all(sessions.map(async ({ cookie }) => (await callAsPage(service.url, 'getSession', { cookie })).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  const end = () => service.done('account', 'end-sessions', '--account', accountId);
  expect(await end()).toEqual({ accountId, sessionsEnded: 2 });
  expect(await statuses()).toEqual([401, 401, 200]);
  expect(await end()).toEqual({ accountId, sessionsEnded: 0 });
});

it('account commands report a missing account', async () => {
  const accountId = service.context.ids.next();
  const { exitCode, stdout, stderr } = await service.admin(['account', 'show', '--account', accountId, '--json']);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining(`There is no account ${accountId}`) });
});

it('account commands escape control characters in a name', async () => {
  const accountId = service.context.ids.next();
  const name = 'A\u001b[31m\u009b31m\u202e\nB';
  const account = { accountId, email: 'a@b', name, balance: 0, openTasks: [], features: [], createdAt: 0 };
  await service.context.accounts.insert(account, undefined);

  const asText = await service.admin(['account', 'show', '--account', accountId]);
  expect(asText.stdout).toContain('A\\u001b[31m\\u009b31m\\u202e\\u000aB\n');
  const asJson = await service.admin(['account', 'show', '--account', accountId, '--json']);
  expect(asJson.stdout).not.toMatch(/[\p{Cc}\p{Bidi_Control}](?!$)/u);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ name });
});
