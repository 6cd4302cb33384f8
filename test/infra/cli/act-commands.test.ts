/**
 * Commands compared with the list of acts: every command that changes something performs an act, with a reason, which
 * is in the log.
 */
import { userInfo } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { callerOf, operatorOf } from '../../../infra/cli/caller.ts';
import { groups } from '../../../infra/cli/groups.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { connect } from '../../../infra/cli/service.ts';
import type { AnyAct } from '../../../shared/domain/operators/act.ts';
import { acts } from '../../../shared/domain/operators/acts.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
afterAll(() => service.close());

const commands = (
  await Promise.all(groups.map(async ({ name, load }) => (await load()).map((command) => ({ group: name, command }))))
).flat();

/** The commands that only read. */
const readers = [
  'find find',
  'status status',
  'account list show',
  'token list',
  'credits list requests',
  'figures show',
  'order list show',
  'case list show',
  'subscription list show',
  'connection list show',
  'catalog show history',
  'switch show',
  'route show',
  'price show',
  'task list show',
  'queue list dead-letters',
  'act list show',
  'operator sessions',
  'engine check',
  'content request check',
  'stage check',
  'request show',
  'completion completion',
].flatMap((line) => {
  const [group, ...names] = line.split(' ');
  return names.map((name) => `${group} ${name}`);
});

it('every command except the known ones that only read performs an operator’s act, and requires a reason', () => {
  const others = commands.filter(({ command }) => command.act === undefined);
  expect(others.map(({ group, command }) => `${group} ${command.name}`)).toEqual(readers);
  const withoutReason = commands.filter(({ command }) => command.act && !command.options.reason?.required);
  expect(withoutReason).toEqual([]);
});

it('every operator’s act has a command, except those that need a browser', () => {
  const performed = new Set(commands.flatMap(({ command }) => command.act ?? []));
  const needed = Object.entries<AnyAct>(acts).filter(([, { isForPages }]) => !isForPages);
  expect(needed.map(([name]) => name).filter((name) => !performed.has(name))).toEqual([]);
  expect(performed.has('seeAsCustomer')).toBe(false);
  expect([...performed].filter((name) => !Object.hasOwn(acts, name))).toEqual([]);
});

it('a command that performs no operator’s act cannot write to the table', async () => {
  const { table } = await connect(undefined, { LOCAL_DATA_DIR: service.dataDir });
  const item = { pk: 'TEST-ROW', sk: 'ROW' };
  expect(() => table.put({ Item: item })).toThrow('only acts may write to the table');
  expect(() => table.transact([{ Put: { Item: item } }])).toThrow('only acts may write to the table');
});

it.each([
  ['no reason', []],
  ['a reason of 2 characters', ['--reason', 'ok']],
  ['a reason of 501 characters', ['--reason', 'x'.repeat(501)]],
])('a command that changes something is rejected with %s, and the message names the option', async (_, more) => {
  const { exitCode, stderr } = await runCommandLine(['switch', 'set', 'voice', 'off', ...more]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^--reason (is required: |must be )a string of 3 to 500 characters/);
});

it('the operator of a local service is the machine’s user, or whoever the variable OPERATOR names', async () => {
  const { username } = userInfo();
  expect(await callerOf(undefined, {})).toEqual({ id: `local:${username}`, name: username, role: 'admin' });
  expect((await callerOf(undefined, { OPERATOR: 'bia' })).id).toBe('local:bia');
});

it.each([
  ['two IAM users', 'iam::1:user/team/ana', 'iam::1:user/team/bia', 'ana'],
  ['an IAM user and a role', 'iam::1:user/ana', 'sts::1:assumed-role/Operators/ana', 'ana'],
  ['two roles', 'sts::1:assumed-role/Operators/ana', 'sts::1:assumed-role/Deployers/ana', 'Operators/ana'],
  [
    'two users of the Identity Center',
    'sts::1:assumed-role/AWSReservedSSO_Admin_0a/ana@example.com',
    'sts::1:assumed-role/AWSReservedSSO_Admin_0a/bia@example.com',
    'ana@example.com',
  ],
])('on a stage, %s count as two operators', (_, one, other, name) => {
  expect(operatorOf(`arn:aws:${one}`)).toMatchObject({ name, role: 'admin' });
  expect(operatorOf(`arn:aws:${one}`).id).not.toBe(operatorOf(`arn:aws:${other}`).id);
});

it.each([
  ['role', 'assumed-role/Operators/ana', 'assumed-role/Operators/bia'],
  ['IAM user who issued federation tokens', 'federated-user/ana', 'federated-user/bia'],
  [
    'user of the Identity Center with two roles',
    'assumed-role/AWSReservedSSO_Admin_0a/ana@example.com',
    'assumed-role/AWSReservedSSO_Support_1b/Ana@example.com',
  ],
])('on a stage, one %s counts as one operator, whatever the name of the session', (_, one, other) => {
  expect(operatorOf(`arn:aws:sts::1:${one}`).id).toBe(operatorOf(`arn:aws:sts::1:${other}`).id);
});

it('`act list` and `act show` show who did what to an account, why, and what it changed', async () => {
  const account = await service.newAccount(10);
  await service.done(
    'credits',
    'grant',
    '--account',
    account,
    '--amount',
    '5',
    '--kind',
    'bonus',
    '--reason',
    'Outage.',
  );
  const { acts: found } = await service.done<{ acts: { actId: string }[] }>('act', 'list', '--account', account);
  expect(found).toMatchObject([
    { operator: 'ana', act: 'grantCredits', subject: `account ${account}`, state: 'done', reason: 'Outage.' },
    { operator: 'ana', act: 'createAccount', state: 'done' },
  ]);
  expect(await service.done('act', 'show', '--act', found[0]?.actId ?? '')).toMatchObject({
    before: { balance: 10 },
    after: { granted: 5 },
  });
  const all = await service.done<{ acts: unknown[] }>('act', 'list', '--limit', '1');
  expect(all.acts).toEqual(found.slice(0, 1));
});

it('`credits grant` above the limit of a day waits until another operator approves it', async () => {
  const account = await service.newAccount(0);
  const grant = ['credits', 'grant', '--account', account, '--amount', '20000', '--kind', 'bonus'];
  const { stdout } = await service.admin(grant);
  expect(stdout).toMatch(
    /^Grants above 10000 credits a day to one account, or 50000 to all, need two people\. Request \S+ waits/,
  );
  const { requests } = await service.done<{ requests: { requestId: string }[] }>('credits', 'requests');
  expect(requests).toMatchObject([{ accountId: account, amount: 20_000, requestedBy: 'ana' }]);
  const approve = ['credits', 'approve', '--request', requests[0]?.requestId ?? ''];
  expect((await service.admin(approve)).stderr).toContain('another operator must approve it');
  expect((await service.admin(approve, '', 'bia')).exitCode).toBe(0);
  expect((await service.context.accounts.find(account))?.balance).toBe(20_000);
});

it('`catalog history` shows the changes of a row, and `catalog undo` undoes the latest', async () => {
  await service.done('price', 'set', '--type', 'voice', '--name', 'charactersPerCredit', '--value', '77');
  await service.done('catalog', 'undo', 'prices', '--reason', 'A typing error.');
  const { changes } = await service.done<{ changes: object[] }>('catalog', 'history', 'prices');
  expect(changes).toMatchObject([
    { version: 2, act: 'undoCatalog', after: '{"voice":null}', reason: 'A typing error.' },
    { version: 1, act: 'setPrice', operator: 'ana', before: '{"voice":null}' },
  ]);
});
