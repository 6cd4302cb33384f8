/** Measures how much longer a request takes than its reads and writes alone, alternating between the two. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { localAccess } from '../infra/local/local-access.ts';
import { generationOf } from '../shared/contracts/generate.ts';
import { debitAccount } from '../shared/domain/accounts/account-store.ts';
import { appendLedgerRow } from '../shared/domain/accounts/ledger-store.ts';
import { storeResponse } from '../shared/domain/idempotency/idempotency-store.ts';
import { taskKey } from '../shared/domain/keys.ts';
import { deadlineOf, type Task } from '../shared/domain/tasks/task.ts';
import { insertTask } from '../shared/domain/tasks/task-item.ts';
import { tokenText } from '../shared/domain/tokens/token.ts';
import { type BenchAccount, type BenchService, startBenchService, tasksPerAccount } from './bench-service.ts';
import { percentile } from './percentile.ts';
import { type TextTable, timesText } from './text-table.ts';

/** The number of rounds of 20 tasks each. */
const batches = 12;
const warmUpBatches = 2;

const input = { text: 'Uma frase curta.', voice: 'sarah', stability: 0.5, similarityBoost: 0.75 } as const;

const taskOf = ({ accountId, tokenId }: BenchAccount, taskId: string, createdAt: number): Task => ({
  taskId,
  accountId,
  tokenId,
  taskType: 'voice',
  status: 'pending',
  progress: 0,
  cost: 1,
  input,
  engine: 'offline',
  route: 'offline/voice',
  createdAt,
  deadlineAt: deadlineOf(generationOf('voice'), createdAt),
  resultsSecret: '0'.repeat(32),
});

/** The four writes that create a task and the read that finds it, without the service. */
function bareDatabase({ service: { context, environment } }: BenchService) {
  const { tableName: TableName } = context.settings;
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localAccess(endpoint)));
  return {
    async transact(account: BenchAccount): Promise<void> {
      const task = taskOf(account, context.ids.next(), context.clock.now());
      const { accountId, taskId, taskType, cost, createdAt: at } = task;
      const row = {
        id: context.ids.next(),
        accountId,
        amount: -cost,
        reason: 'generation',
        at,
        taskType,
        taskId,
      } as const;
      const scope = { accountId, operationId: 'generateVoice', key: taskId };
      const response = { fingerprint: '0'.repeat(43), status: 202, body: JSON.stringify({ taskId }), taskId };
      const actions = [
        debitAccount({ accountId, taskId, cost }),
        insertTask(task, at),
        appendLedgerRow(row),
        storeResponse(scope, response, at),
      ];
      const TransactItems = actions.map((action) =>
        Object.fromEntries(Object.entries(action).map(([kind, write]) => [kind, { ...write, TableName }])),
      ) as TransactWriteCommandInput['TransactItems'];
      await client.send(new TransactWriteCommand({ TransactItems }));
    },
    async read(taskId: string): Promise<void> {
      const { Item } = await client.send(new GetCommand({ TableName, Key: taskKey(taskId), ConsistentRead: true }));
      if (!Item) throw new Error(`there is no task ${taskId}`);
    },
    close: () => client.destroy(),
  };
}

const names = ['POST', 'bare transaction', 'GET', 'bare read', 'malformed token'] as const;
type Name = (typeof names)[number];
type Times = Record<Name, number[]>;

/** Alternates creating and reading each task with the same writes and reads alone; uses 40 of the token's requests. */
async function runBatch(bench: BenchService, bare: ReturnType<typeof bareDatabase>, times: Times): Promise<void> {
  const [account, other] = await Promise.all([bench.account(), bench.account()]);
  const headers = { authorization: `Bearer ${tokenText('0'.repeat(56)).slice(0, -1)}x` };
  const timed = async <Result>(name: Name, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await work();
    times[name].push(performance.now() - startedAt);
    return result;
  };
  for (let task = 0; task < tasksPerAccount; task += 1) {
    const idempotencyKey = bench.service.context.ids.next();
    const created = await timed('POST', () => account.api.generateVoice({ body: input, idempotencyKey }));
    await timed('bare transaction', () => bare.transact(other));
    const { taskId } = created.data;
    await timed('GET', () => account.api.getTask({ params: { taskId } }));
    await timed('bare read', () => bare.read(taskId));
    await timed('malformed token', async () =>
      (await fetch(`${bench.service.url}/api/v1/profile`, { headers })).arrayBuffer(),
    );
  }
}

const noTimes = (): Times => ({ POST: [], 'bare transaction': [], GET: [], 'bare read': [], 'malformed token': [] });

function tableOf(times: Times): TextTable {
  const row = (label: string, name: Name, bare: Name): (string | number)[] => {
    const [p50, p95, unit] = [
      percentile(times[name], 0.5),
      percentile(times[name], 0.95),
      percentile(times[bare], 0.5),
    ];
    return [label, p50, p95, timesText(p50, unit), timesText(p95, percentile(times[bare], 0.95))];
  };
  return {
    title: `Latency over HTTP with client, service and SDK in one process: ${times.POST.length} sequential requests of each kind, alternating`,
    columns: ['request', 'p50 ms', 'p95 ms', 'p50 : bare', 'p95 : bare'],
    rows: [
      row('bare transaction of four writes', 'bare transaction', 'bare transaction'),
      row('POST generateVoice with a key', 'POST', 'bare transaction'),
      row('bare read', 'bare read', 'bare read'),
      row('GET getTask', 'GET', 'bare read'),
      row('GET with a malformed token', 'malformed token', 'bare read'),
    ],
  };
}

export async function latencies(): Promise<TextTable> {
  const bench = await startBenchService();
  const bare = bareDatabase(bench);
  try {
    const warmUp = noTimes();
    for (let batch = 0; batch < warmUpBatches; batch += 1) await runBatch(bench, bare, warmUp);
    const times = noTimes();
    for (let batch = 0; batch < batches; batch += 1) await runBatch(bench, bare, times);
    return tableOf(times);
  } finally {
    bare.close();
    await bench.close();
  }
}
