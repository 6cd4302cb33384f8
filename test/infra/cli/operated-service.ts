/** A service in the test's process, and the operator's command line on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { type ServiceOptions, startService } from '../../../infra/local/host.ts';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { withReason } from './with-reason.ts';

export const startOperatedService = async ({ fake }: Pick<ServiceOptions, 'fake'> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'operated-service-'));
  let aheadMs = 0;
  const service = await startService({
    port: 0,
    dataDir,
    inMemory: true,
    fake,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    onDatabaseExit: () => undefined,
    clock: { now: () => systemClock.now() + aheadMs },
  });
  const { context } = service;

  /** Runs a command as an operator on this machine; a reason is added if the command has none. */
  const admin = async (args: readonly string[], input = '', operator = 'ana') =>
    runCommandLine(await withReason(args), {
      environment: { LOCAL_DATA_DIR: dataDir, OPERATOR: operator },
      input: async () => input,
    });

  /** The JSON output of a command that must succeed. */
  async function done<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
    const { exitCode, stdout, stderr } = await admin([...args, '--json']);
    if (exitCode !== 0 || stderr !== '') throw new Error(`exit ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  async function newAccount(credits = 100): Promise<string> {
    const account = ['account', 'create', '--name', 'Ana', '--credits', String(credits)];
    const email = `${context.ids.next()}@example.com`;
    return (await done<{ accountId: string }>(...account, '--email', email)).accountId;
  }

  /** An open, debited task without an execution. */
  async function newTask(accountId: string, changes: Partial<Task> = {}): Promise<Task> {
    const createdAt = context.clock.now();
    const task: Task = {
      taskId: context.ids.next(),
      accountId,
      tokenId: context.ids.next(),
      taskType: 'voice',
      status: 'pending',
      progress: 0,
      cost: 1,
      input: { text: 'Olá', voice: 'sarah' },
      engine: 'offline',
      route: 'offline/voice',
      createdAt,
      deadlineAt: createdAt + 600_000,
      resultsSecret: context.ids.secret(16),
      ...changes,
    };
    const row = { id: context.ids.next(), accountId, amount: -1, reason: 'generation', at: createdAt } as const;
    const actions = [debitAccount(task), insertTask(task, createdAt + 3_600_000), appendLedgerRow(row)];
    await context.table.transact(actions);
    return task;
  }

  return {
    ...service,
    dataDir,
    admin,
    done,
    newAccount,
    newTask,
    advance(milliseconds: number) {
      aheadMs += milliseconds;
    },
    async close() {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export type OperatedService = Awaited<ReturnType<typeof startOperatedService>>;
