import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { changeClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { caseKey } from '../../../shared/domain/keys.ts';
import { timestamp } from '../../../shared/platform/clock.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
const account = await service.newAccount();

afterAll(() => service.close());

it('`task show` shows a task as its account sees it, and the account’s id', async () => {
  const options = ['--account', account, '--name', 'server', '--scopes', 'read:tasks'];
  const { token } = await service.done<{ token: string }>('token', 'create', ...options);
  const { taskId } = await service.newTask(account, { clientReference: 'order 7' });

  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${service.url}/api/v1/tasks/${taskId}`, { headers });
  const { data } = (await response.json()) as { data: object };
  expect(await service.done('task', 'show', '--task', taskId)).toEqual({
    accountId: account,
    tokenId: expect.any(String),
    tokenName: null,
    mayRunUntil: timestamp((await service.context.tasks.find(taskId))?.deadlineAt ?? 0),
    ...data,
  });
  expect(data).toMatchObject({ id: taskId, clientReference: 'order 7', input: { text: 'Olá', voice: 'sarah' } });
});

it('`task show` prints a task as text, one line per field, with control characters escaped', async () => {
  const { taskId } = await service.newTask(account, {
    input: { text: 'one\n\u001b]0;two', voice: 'sarah', likenessConsent: true },
  });
  const { exitCode, stdout } = await service.admin(['task', 'show', '--task', taskId]);

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^accountId +${account}\ntokenId +\\S+\ntokenName +none\nmayRunUntil +\\S+Z\nid +${taskId}\ntaskType +voice\nlabel +one.*\nstatus +pending$`,
      'm',
    ),
  );
  expect(stdout).toMatch(/^input\.likenessConsent +true$/m);
  expect(stdout).toMatch(/^input\.text +one\\u000a\\u001b\]0;two$/m);
});

it('task commands report a missing task', async () => {
  const taskId = service.context.ids.next();
  const { exitCode, stdout, stderr } = await service.admin(['task', 'show', '--task', taskId]);

  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: '', stderr: `There is no task ${taskId}.\n` });
});

it.each([
  ['a malformed id', ['--task', 'seven'], '--task must be an id of a task'],
  ['a missing id', [], '--task is required'],
  ['an option without its id', ['--task'], "Option '--task <TASK>' argument missing."],
])('task commands reject %s', async (_, options, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(['task', 'show', ...options]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});

it('`task fail` fails a task in progress at an engine, and ends the execution that waits for the engine', async () => {
  const { taskId } = await service.newTask(account, { cost: 1 });
  const { clock, engineJobs } = service.context;
  const job = { taskId, name: mainJob };
  await engineJobs.recordToken(job, 'a token without a waiting execution', clock.now());
  await engineJobs.recordAcceptance(job, {
    engine: 'offline',
    reference: 'a-job',
    completion: 'callback',
    deadlineAt: clock.now(),
  });

  await service.done('task', 'fail', '--task', taskId);
  expect((await engineJobs.find(job)).outcome).toEqual({ status: 'failed', code: 'INTERNAL_ERROR' });
});

it('`task fail` fails a stuck task once, with a refund and a free slot, and rejects a second attempt', async () => {
  const before = await service.context.accounts.find(account);
  const { taskId } = await service.newTask(account, { cost: 1 });

  expect(await service.done('task', 'fail', '--task', taskId)).toEqual({
    taskId,
    status: 'failed',
    creditsRefunded: 1,
  });
  expect(await service.context.tasks.find(taskId)).toMatchObject({
    status: 'failed',
    errorCode: 'INTERNAL_ERROR',
    endedBy: 'operator',
  });
  expect(await service.context.accounts.find(account)).toEqual(before);
  const { stdout } = await service.admin(['task', 'show', '--task', taskId]);
  expect(stdout).toMatch(/^endedBy +operator ana$/m);
  const { exitCode, stderr } = await service.admin(['task', 'fail', '--task', taskId]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `Task ${taskId} has already ended.\n` });
  expect(await service.context.accounts.find(account)).toEqual(before);
});

it('`task show` says which token canceled a task, and not until when it might have run', async () => {
  const options = ['--account', account, '--name', 'server', '--scopes', 'all'];
  const { token, tokenId } = await service.done<Record<'token' | 'tokenId', string>>('token', 'create', ...options);
  const { taskId } = await service.newTask(account);
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${service.url}/api/v1/tasks/${taskId}/cancel`, { method: 'POST', headers });
  const { stdout } = await service.admin(['task', 'show', '--task', taskId]);
  expect(stdout).toMatch(new RegExp(`^endedBy +token server ${tokenId}$`, 'm'));
  expect(stdout).not.toContain('mayRunUntil');
});

it('`task fail` refunds a task whose refund is claimed by a case that cannot be read', async () => {
  const { taskId } = await service.newTask(account, { cost: 1 });
  const { accounts, table } = service.context;
  const caseId = 'order.0123456789abcdef';
  await table.put({ Item: { ...caseKey(caseId), kind: 'of another release' } });
  await table.transact([updateAccount(account, [changeClaims([], [{ caseId, taskIds: [taskId] }])])]);
  const before = await accounts.find(account);

  const { exitCode, stdout } = await service.admin(['task', 'fail', '--task', taskId]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Task ${taskId} has failed; 1 credit was refunded.\n` });
  expect((await accounts.find(account))?.balance).toBe((before?.balance ?? 0) + 1);
});

it('`task list` without an account lists the failed tasks of all accounts on a day, by error, and rejects what it cannot combine', async () => {
  const { taskId } = await service.newTask(account);
  await service.done('task', 'fail', '--task', taskId);
  const ids = async (...filters: string[]) =>
    (await service.done<{ tasks: readonly { taskId: string }[] }>('task', 'list', ...filters)).tasks.map(
      (task) => task.taskId,
    );
  expect(await ids('--status', 'failed', '--error', 'INTERNAL_ERROR')).toContain(taskId);
  expect(await ids('--error', 'CANCELED')).not.toContain(taskId);
  expect(await ids('--day', '2020-01-01')).toEqual([]);
  for (const options of [
    ['--reference', 'x'],
    ['--account', account, '--day', '2020-01-01'],
    ['--stuck', 'deadline', '--day', '2020-01-01'],
  ]) {
    expect((await service.admin(['task', 'list', ...options])).exitCode).toBe(2);
  }
});

it('`task list --stuck deadline` lists the open tasks past their deadline alone, with their labels and until when they might run', async () => {
  const deadlineAt = service.context.clock.now() - 1;
  const [late, other] = [await service.newTask(account, { deadlineAt }), await service.newTask(account)];
  const { tasks } = await service.done<{ tasks: { taskId: string }[] }>('task', 'list', '--stuck', 'deadline');
  expect(tasks).toContainEqual(
    expect.objectContaining({ taskId: late.taskId, label: 'Olá', mayRunUntil: timestamp(deadlineAt) }),
  );
  expect(tasks.map(({ taskId }) => taskId)).not.toContain(other.taskId);
  for (const { taskId } of [late, other]) await service.done('task', 'fail', '--task', taskId);
});

it('`task list` names the task with which the next page begins, until the last one', async () => {
  const owner = await service.newAccount();
  const made: string[] = [];
  for (let task = 0; task < 3; task += 1) made.push((await service.newTask(owner, { cost: 1 })).taskId);
  for (const taskId of made) await service.done('task', 'fail', '--task', taskId);
  for (const which of [
    ['--account', owner],
    ['--status', 'failed'],
  ]) {
    const read = (...before: string[]) =>
      service.done<{ tasks: { taskId: string }[]; next: string | null }>(
        'task',
        'list',
        ...which,
        '--limit',
        '2',
        ...before,
      );
    const first = await read();
    expect([first.tasks.length, first.next]).toEqual([2, first.tasks[1]?.taskId]);
    const second = await read('--before', first.next ?? '');
    expect([...first.tasks, ...second.tasks].map(({ taskId }) => taskId).slice(0, 3)).toEqual(made.toReversed());
    const { stdout } = await service.admin(['task', 'list', ...which, '--limit', '2']);
    expect(stdout).toContain(`The next page: --before ${first.next}\n`);
  }
  const last = await service.done('task', 'list', '--account', owner, '--limit', '4');
  expect(last).toMatchObject({ next: null });
});
