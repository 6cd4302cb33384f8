/** The service under mixed load of test tokens, and then without load until everything is settled: `npm run soak`. */
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentile } from '../../../bench/percentile.ts';
import { startDatabase } from '../../../infra/local/database/database.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { eventually } from '../../support/eventually.ts';
import { messagesIn } from '../../support/messages-in.ts';
import { seededNumbers } from '../../support/seeded-numbers.ts';
import { respondWith, type WebhookReceiver, webhookReceiver } from '../../support/webhook-receiver.ts';
import { checkMoment } from '../oracle/invariants.ts';
import { type Snapshot, snapshotReader } from '../oracle/snapshot.ts';
import { act, cancelUnending, type Load, startLoad } from './load.ts';
import { soakedService } from './soaked-service.ts';

const seconds = Number(process.env.SOAK_SECONDS || 300);
const numbers = seededNumbers(systemClock.now());
const workers = 12;
const actionsPerRound = 5;

/** The resource usage of the process after a round, right after a garbage collection. */
interface Sample {
  readonly requests: number;
  readonly heapUsed: number;
  readonly openFiles: number;
}

const closing: (() => unknown)[] = [];
const samples: Sample[] = [];
let readTable: (tableName: string) => Promise<Snapshot>;
let service: Awaited<ReturnType<typeof soakedService>>;
let context: FullContext;
let receiver: WebhookReceiver;
let load: Load;
let snapshot: Snapshot;
let deadLetters: number;

const started = <Part extends { close(): unknown }>(part: Part): Part => {
  closing.unshift(() => part.close());
  return part;
};

function respondByPath(): void {
  receiver.respond((response, attempt, { path }) => {
    if (path.endsWith('hangs-up')) respondWith(response, 'hang up');
    else respondWith(response, path.endsWith('rejects') || (path.endsWith('recovers') && attempt === 1) ? 500 : 204);
  });
}

async function startParties(): Promise<void> {
  const database = started(await startDatabase({}));
  readTable = snapshotReader(database.url);
  service = started(await soakedService({ DYNAMODB_ENDPOINT: database.url }));
  receiver = started(await webhookReceiver());
  respondByPath();
  context = createFullContext(service.environment);
}

/** The bytes that the substitutes for Step Functions and S3 keep per ended execution, as measured. */
const keptBytes = 4900;

/** Rounds of load; between two of them no request is in progress. */
async function soak(): Promise<void> {
  const work = async () => {
    for (let done = 0; done < actionsPerRound; done += 1) await act(load);
  };
  const until = performance.now() + seconds * 1000;
  do {
    await Promise.all(Array.from({ length: workers }, work));
    const { heapUsed, executions } = await service.measure();
    const requests = Object.values(load.codes).reduce((sum, count) => sum + count, 0);
    samples.push({ requests, heapUsed: heapUsed - executions.ended * keptBytes, openFiles: service.openFiles() });
  } while (performance.now() < until);
}

/** Without load, every execution, task and webhook ends, at the latest by the sweeper. */
async function settle(queue: SQSClient): Promise<void> {
  await cancelUnending(load);
  await eventually(
    'the end of all work',
    async () => {
      await service.invoke('sweepTasks');
      const [{ executions }, open, queued] = await Promise.all([
        service.measure(),
        context.tasks.dueBy(Number.MAX_SAFE_INTEGER),
        messagesIn(queue, context.settings.webhookQueueUrl),
      ]);
      return executions.running + open.length + queued === 0 ? true : undefined;
    },
    { patienceMs: 180_000, everyMs: 1000 },
  );
}

beforeAll(
  async () => {
    await startParties();
    load = await startLoad({ context, url: service.url, hookUrl: receiver.url, numbers, accounts: 24 });
    await soak();
    const queue = new SQSClient(context.settings.aws('SQS'));
    await settle(queue);
    deadLetters = await messagesIn(queue, `${context.settings.webhookQueueUrl}-dead-letters`);
    queue.destroy();
    snapshot = await readTable(context.settings.tableName);
    process.stdout.write(`${JSON.stringify({ seconds, codes: load.codes, samples })}\n`);
  },
  600_000 + seconds * 1000,
);

afterAll(async () => {
  for (const close of closing) await close();
});

test('under load, every task and webhook ends, and every credit is accounted for', async () => {
  checkMoment(snapshot, receiver.posts);
  const tasks = [...snapshot.tasks.values()];
  expect(tasks.filter((task) => !isTerminal(task) || task.webhookStatus === 'pending')).toEqual([]);
  expect([...load.promised].filter((taskId) => !snapshot.tasks.has(taskId))).toEqual([]);
  const canceled = [...load.unending].map((taskId) => snapshot.tasks.get(taskId)?.errorCode);
  expect(new Set(canceled)).toEqual(new Set(['CANCELED']));
  expect(tasks).toHaveLength(load.promised.size);
  expect(deadLetters).toBe(0);
  expect(service.stderr()).toBe('');
});

/** By how much the number of open files may vary, because connection pools grow and shrink. */
const toleratedFiles = 128;

test('under load, the service’s memory and open files do not grow with the number of requests', () => {
  // The first fifth of the samples is ignored, because meanwhile code is compiled and connection pools are filled.
  const settled = samples.slice(Math.floor(samples.length / 5));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const growthOf = (name: keyof Sample) => {
    const values = settled.map((sample) => sample[name]);
    return percentile(values.slice(-third), 0.5) - percentile(values.slice(0, third), 0.5);
  };
  // The tolerance of 2 MiB is for the work in progress, and 250 bytes per request for noise: a leak of one event per
  // request would take kilobytes.
  expect(growthOf('heapUsed')).toBeLessThan(2 * 2 ** 20 + growthOf('requests') * 250);
  expect(growthOf('openFiles')).toBeLessThan(toleratedFiles);
});
