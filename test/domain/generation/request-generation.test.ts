/** A generation request is rejected, quoted, replayed or executed, on the real table. */
import { beforeEach, describe, expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { checkTime } from '../../../shared/domain/index-keys.ts';
import { taskKey } from '../../../shared/domain/keys.ts';
import { type HostedStores, stores } from '../../../shared/domain/stores.ts';
import { deadlineOf, type Task } from '../../../shared/domain/tasks/task.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { type GenerationNeeds, generationNeeds, idleWorkflow, unreachable } from '../../support/generation-needs.ts';
import { type RecordedMetrics, recordedMetrics } from '../../support/recorded-metrics.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { input, rejectionOf, requestVoice, tokenId } from './voice-request.ts';

let store: HostedStores;
let accountId: string;
let started: { name: string; input: object }[];
let asked: string[];
let admitted: boolean;
let metrics: RecordedMetrics;

const clock = { now: () => testTime };

const host = await tableInTests();
beforeEach(async () => {
  store = stores(host.table, clock);
  [started, asked, admitted] = [[], [], true];
  metrics = recordedMetrics();
  accountId = await account(100);
});

async function account(balance: number, openTasks = 0): Promise<string> {
  const made = anAccount({ balance: balance + openTasks });
  await store.accounts.insert(made, undefined);
  for (let count = 0; count < openTasks; count += 1) {
    await host.table.transact([debitAccount({ accountId: made.accountId, taskId: testIds.next(), cost: 1 })]);
  }
  return made.accountId;
}

const needs = (): GenerationNeeds =>
  generationNeeds(store, {
    metrics,
    outbound: {
      ...unreachable,
      admits: async (url) => {
        asked.push(url);
        return admitted;
      },
    },
    workflow: {
      ...idleWorkflow,
      start: async (_workflow, name, given) => {
        started.push({ name, input: given });
        return 'running';
      },
    },
  });

const generate = (
  given: Parameters<typeof requestVoice>[1] = {},
  others: Partial<GenerationNeeds> = {},
  inspect?: () => Promise<unknown>,
) => requestVoice(accountId, given, { ...needs(), ...others }, inspect);

const standing = async () => ({
  account: await store.accounts.find(accountId),
  rows: await store.ledger.list(accountId, { limit: 10, offset: 0 }),
  tasks: await store.tasks.ids(accountId, {}, { limit: 10, offset: 0 }),
});

const madeTask = async (taskId: string): Promise<Task | undefined> => store.tasks.find(taskId);

describe('a valid request for a generation', () => {
  test('returns a queued task, debits its cost with a ledger row and starts it', async () => {
    const response = await generate();
    const { taskId } = response as { taskId: string };
    expect(response).toStrictEqual({ taskId, status: 'queued' });
    const { account: after, rows, tasks } = await standing();
    expect(after).toMatchObject({ balance: 97, openTasks: [taskId] });
    expect(rows).toEqual([
      {
        id: expect.any(String),
        accountId,
        amount: -3,
        reason: 'generation',
        at: testTime,
        taskType: 'voice',
        taskId,
        tokenId,
      },
    ]);
    expect(tasks).toEqual([taskId]);
    expect(asked).toEqual([]);
    expect(started).toEqual([{ name: taskId, input: { taskId } }]);
    expect(metrics.recorded).toEqual([[{ TasksStarted: 1, CreditsDebited: 3 }, { operation: 'generateVoice' }]]);
  });

  test('stores the estimated duration of such tasks, and asks for the first poll when the fastest of them would have ended', async () => {
    const estimate = { typicalMs: 5000, spread: 0.2 };
    const asked: unknown[] = [];
    const circuits = {
      ...store.circuits,
      estimate: async (tasks: unknown) => {
        asked.push(tasks);
        return estimate;
      },
    };
    const hints: number[] = [];
    const retryAfter = (seconds: number) => void hints.push(seconds);
    const { taskId } = (await generate({ retryAfter }, { circuits })) as { taskId: string };
    expect(await madeTask(taskId)).toMatchObject({ estimate });
    expect(asked).toEqual([{ route: 'offline/voice', taskType: 'voice' }]);
    // 5 s × e^(-0.6 × 0.2) × 1.2
    expect(hints).toEqual([5]);
  });

  test('stores exactly the requested task', async () => {
    const { taskId } = (await generate()) as { taskId: string };
    expect(await madeTask(taskId)).toStrictEqual({
      taskId,
      accountId,
      tokenId,
      taskType: 'voice',
      status: 'pending',
      progress: 0,
      cost: 3,
      input,
      engine: 'offline',
      route: 'offline/voice',
      creditMicros: 21_700,
      enginePrices: { make: { per: 'job', micros: 0, charged: [] } },
      createdAt: testTime,
      deadlineAt: deadlineOf(generationOf('voice'), testTime),
      resultsSecret: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await host.table.get(taskKey(taskId))).toMatchObject({ openSk: checkTime(testTime) });
  });

  test('stores its callback URL and reference with the task, not in its input', async () => {
    const callbackUrl = 'https://example.com/hook';
    const headers = { 'x-client-reference': 'order 7', 'x-dry-run': 'false' };
    const { taskId } = (await generate({ body: { ...input, callbackUrl }, headers })) as { taskId: string };
    const webhook = { callbackUrl, webhookStatus: 'pending', webhookFrom: 1 };
    expect(await madeTask(taskId)).toMatchObject({ ...webhook, clientReference: 'order 7', input });
    expect((await madeTask(taskId))?.input).not.toHaveProperty('callbackUrl');
    expect(asked).toEqual([callbackUrl]);
    expect(started).toEqual([{ name: taskId, input: { taskId } }]);
  });

  test('returns the task even if it cannot be started yet, and leaves it to be started later', async () => {
    const workflow = { ...needs().workflow, start: () => Promise.reject(new Error('no response')) };
    const response = await generate({}, { workflow });
    expect(response).toMatchObject({ status: 'queued' });
    expect(await standing()).toMatchObject({ account: { balance: 97 }, tasks: { length: 1 } });
  });
});

describe('a request for a generation is rejected without side effects', () => {
  const expectUntouched = async (balance: number) => {
    expect(await standing()).toMatchObject({ account: { balance }, rows: [], tasks: [] });
    expect(started).toEqual([]);
  };

  test('when its operation is switched off', async () => {
    await store.catalog.switchOperation('generateVoice', false);
    const end = await rejectionOf(generate());
    await store.catalog.switchOperation('generateVoice', true);
    expect(end).toEqual({ kind: 'switched-off', message: 'The operation is switched off.', retryAfterSeconds: 30 });
    await expectUntouched(100);
  });

  test('when its callback URL is not allowed', async () => {
    admitted = false;
    const callbackUrl = 'https://private.example.com/hook';
    for (const headers of [{}, { 'x-dry-run': 'true' }]) {
      expect(await rejectionOf(generate({ body: { ...input, callbackUrl }, headers }))).toEqual({
        kind: 'invalid',
        message:
          'callbackUrl must be an https URL of a public host, at most 2048 characters when percent-encoded, and must not resolve to a private address',
      });
    }
    await expectUntouched(100);
  });

  test('when the credits are insufficient, with the cost and the balance', async () => {
    accountId = await account(2);
    const lack = { kind: 'insufficient-credits', message: 'The request costs 3 credits and the balance is 2.' };
    expect(await rejectionOf(generate())).toEqual(lack);
    expect(await rejectionOf(generate({ headers: { 'x-dry-run': 'true' } }))).toEqual(lack);
    await expectUntouched(2);
  });

  test('when every slot is taken, with the time after which to retry', async () => {
    accountId = await account(100, simultaneousTasks);
    const lack = { kind: 'too-many-tasks', message: 'The account already has 20 open tasks.', retryAfterSeconds: 5 };
    expect(await rejectionOf(generate())).toEqual(lack);
    expect(await rejectionOf(generate({ headers: { 'x-dry-run': 'true' } }))).toEqual(lack);
    await expectUntouched(100);
  });
});

describe('a request for a generation fails with an unexpected error', () => {
  test('when its account is missing, and creates no task', async () => {
    accountId = testIds.next();
    await expect(generate()).rejects.toThrow('token references a missing account');
    const quote = generate({ headers: { 'x-dry-run': 'true' } });
    await expect(quote).rejects.toThrow('token references a missing account');
    expect(await standing()).toEqual({ account: undefined, rows: [], tasks: [] });
  });

  test('when the table does not respond', async () => {
    const failure = new Error('no response');
    const table: Table = { ...host.table, transact: () => Promise.reject(failure) };
    await expect(generate({}, { table })).rejects.toBe(failure);
    expect(started).toEqual([]);
  });

  test('when its ids already exist, even if the account has enough credits', async () => {
    const ids = { next: () => 'the same', secret: () => 'secret' };
    await generate({}, { ids });
    await expect(generate({}, { ids })).rejects.toMatchObject({ name: 'TransactionCanceled' });
    expect(await standing()).toMatchObject({ account: { balance: 97 }, rows: { length: 1 } });
  });
});

describe('a dry run of a generation', () => {
  const headers = { 'x-dry-run': 'true' };

  test('returns cost and balance, and creates, debits and starts nothing', async () => {
    accountId = await account(3);
    expect(await generate({ headers })).toStrictEqual({ cost: 3, balance: 3, operation: 'generateVoice' });
    expect(await standing()).toMatchObject({ account: { balance: 3, openTasks: [] }, rows: [], tasks: [] });
    expect(started).toEqual([]);
  });
});

describe('an idempotency key of a generation', () => {
  const idempotency = { key: 'order-1', fingerprint: 'print' };
  const scope = () => ({ accountId, operationId: 'generateVoice', key: idempotency.key });

  test('stores the exact response, its status and its task in the same transaction', async () => {
    const { taskId } = (await generate({ idempotency })) as { taskId: string };
    expect(await store.idempotency.find(scope(), testTime)).toStrictEqual({
      fingerprint: 'print',
      status: 202,
      body: JSON.stringify({ success: true, data: { taskId, status: 'queued' } }),
      taskId,
    });
  });

  test('returns the stored response of an earlier request, even without credits and slots', async () => {
    accountId = await account(3, simultaneousTasks - 1);
    const { taskId } = (await generate({ idempotency })) as { taskId: string };
    const replayed = (await generate({ idempotency, body: { ...input } })) as Replay;
    expect(replayed).toBeInstanceOf(Replay);
    expect(replayed.response).toStrictEqual(await store.idempotency.find(scope(), testTime));
    expect(replayed.response.body).toContain(taskId);
    expect({ started: started.length, recorded: metrics.recorded.length }).toEqual({ started: 1, recorded: 1 });
    expect(await standing()).toMatchObject({ account: { balance: 0 }, tasks: [taskId] });
  });

  test('saves a repeated request from inspecting its inputs again', async () => {
    let inspections = 0;
    const inspect = async () => {
      inspections += 1;
    };
    await generate({ idempotency }, {}, inspect);
    expect(await generate({ idempotency }, {}, inspect)).toBeInstanceOf(Replay);
    expect(inspections).toBe(1);
  });

  test('stays unused when its request is rejected', async () => {
    accountId = await account(2);
    await rejectionOf(generate({ idempotency }));
    expect(await store.idempotency.find(scope(), testTime)).toBeUndefined();
  });

  test('is optional: a repeated request without a key creates another task', async () => {
    await generate();
    await generate();
    expect((await standing()).tasks).toHaveLength(2);
  });
});
