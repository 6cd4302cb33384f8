/** A day with tasks of many kinds on fake vendors, and what their engines charge, typed by hand. */
import { afterAll } from 'vitest';
import { startBedrockFake } from '../../../fakes/bedrock/bedrock-fake.ts';
import { startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { addRankingCost } from '../../../shared/domain/engine-jobs/engine-costs.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { recordAcceptance, recordOutcome } from '../../../shared/domain/engine-jobs/record-report.ts';
import { chargingTexts } from '../../../shared/domain/engine-jobs/text-costs.ts';
import { countProductTexts } from '../../../shared/domain/figures/product-texts.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { isTestAccount, testAccountOf } from '../../../shared/domain/test-account.ts';
import type { EngineOutcome } from '../../../shared/engines/engine.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { bedrockRuntime } from '../../../shared/platform/model-runtime.ts';
import { bedrockLanguageModel } from '../../../shared/text-writers/bedrock/bedrock-language-model.ts';
import { falLanguageModel } from '../../../shared/text-writers/fal/fal-language-model.ts';
import { promptedWriter } from '../../../shared/text-writers/prompted-writer.ts';
import type { TextWriter, WritingEngine } from '../../../shared/text-writers/text-writer.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testTime } from '../../support/test-table.ts';
import { tinyPng } from '../../support/tiny-image.ts';

export const day = '2030-01-01';
const clock = { now: () => testTime };
export const ids = randomIds(clock);

const falKey = 'key-id:key-secret';
const [host, fal, bedrock] = await Promise.all([tableInTests(), startFalFake({ key: falKey }), startBedrockFake()]);
export const { table } = host;
afterAll(() => Promise.all([fal.close(), bedrock.close()]));
export const store = { ...storesOf(table, clock), circuits: closedCircuits };
export const needs = {
  ...store,
  ...unreachable,
  clock,
  ids,
  logger: new RecordingLogger(),
  metrics: recordedMetrics(),
  engines: { named: () => undefined },
};

const speech = {
  taskType: 'voice',
  engine: 'elevenlabs',
  route: 'elevenlabs/multilingual-v2',
  input: { text: 'x'.repeat(20) },
  enginePrices: { make: { per: 'character', micros: 100, statedMicros: 100, charged: [] } },
} as const satisfies Partial<Task>;
const pictures = {
  taskType: 'image',
  engine: 'fal',
  route: 'fal/nano-banana-2',
  input: { numImages: 2 },
  cost: 8,
  enginePrices: { make: { per: 'output', micros: 80_000, charged: ['rejected', 'canceled', 'lost'] } },
} as const satisfies Partial<Task>;

const output = { url: 'https://engine.example/1', contentType: 'image/png' };
const done = (units?: number): EngineOutcome => ({
  status: 'done',
  outputs: [output, output],
  ...(units !== undefined && { charge: { units } }),
});
const failed = (code: 'CONTENT_REJECTED' | 'PROVIDER_ERROR'): EngineOutcome => ({ status: 'failed', code });

const completed: End = { status: 'completed', results: [] };
const canceled: End = { status: 'failed', code: 'CANCELED' };

const clips = {
  taskType: 'cortes',
  engine: 'clips',
  route: 'clips/fal',
  input: { videoUrl: 'https://example.com/a.mp4' },
  derived: { seconds: 60, clipCount: 2 },
  cost: 9,
  enginePrices: {
    make: { per: 'job', micros: 0, charged: [] },
    transcribe: { per: 'second', micros: 133, charged: ['rejected', 'canceled', 'lost'] },
    cut: { per: 'job', micros: 2000, charged: ['rejected', 'canceled', 'lost'] },
  },
} as const satisfies Partial<Task>;

/** What happens to a task, and what engines charge for that, typed by hand. */
export interface Case {
  readonly task: Partial<Task>;
  /** How often the engine loses the job before it finally keeps it. */
  readonly losses?: number;
  readonly isAccepted: boolean;
  readonly outcome?: EngineOutcome;
  readonly end: End;
  /** What the task's own engine charges. */
  readonly micros: number;
  /** The jobs of the clips workflow at fal.ai, and the language models that rank passages. */
  readonly jobs?: readonly (readonly [name: string, outcome: EngineOutcome | undefined])[];
  readonly rankings?: readonly WritingEngine[];
  readonly others?: Readonly<Record<string, number>>;
}

const transcribed = ['transcribe', done()] as const;

export const cases: readonly Case[] = [
  { task: speech, isAccepted: false, outcome: done(17), end: completed, micros: 1700 },
  { task: speech, isAccepted: false, outcome: done(), end: completed, micros: 2000 },
  { task: speech, isAccepted: false, outcome: failed('CONTENT_REJECTED'), end: fail('CONTENT_REJECTED'), micros: 0 },
  { task: pictures, isAccepted: true, outcome: done(2), end: completed, micros: 160_000 },
  { task: pictures, isAccepted: true, outcome: failed('PROVIDER_ERROR'), end: fail('PROVIDER_ERROR'), micros: 0 },
  {
    task: pictures,
    isAccepted: true,
    outcome: failed('CONTENT_REJECTED'),
    end: fail('CONTENT_REJECTED'),
    micros: 160_000,
  },
  { task: pictures, isAccepted: true, end: canceled, micros: 160_000 },
  { task: pictures, isAccepted: false, end: canceled, micros: 0 },
  { task: pictures, losses: 1, isAccepted: true, outcome: done(2), end: completed, micros: 320_000 },
  // The results cannot be stored, but the engine charges for them.
  { task: pictures, isAccepted: true, outcome: done(2), end: fail('INTERNAL_ERROR'), micros: 160_000 },
  {
    task: clips,
    isAccepted: false,
    jobs: [transcribed, ['cut-01', done()], ['cut-02', failed('PROVIDER_ERROR')]],
    rankings: ['fal'],
    end: completed,
    micros: 0,
    others: { fal: 60 * 133 + 500 + 2000 },
  },
  // The transcription is charged although the task fails; passages are ranked twice, because the first attempt crashes.
  {
    task: clips,
    isAccepted: false,
    jobs: [transcribed],
    rankings: ['fal', 'fal'],
    end: fail('PROVIDER_ERROR'),
    micros: 0,
    others: { fal: 60 * 133 + 2 * 500 },
  },
  {
    task: clips,
    isAccepted: false,
    jobs: [transcribed, ['cut-01', undefined]],
    rankings: ['bedrock'],
    end: canceled,
    micros: 0,
    others: { fal: 60 * 133 + 2000, bedrock: 18 },
  },
];

/** The writers whose language models are fakes: an answer of fal.ai costs $0.0005, one of Bedrock 100 and 50 tokens. */
const writers: Readonly<Record<WritingEngine, TextWriter>> = {
  fal: promptedWriter(falLanguageModel({ runUrl: fal.queueUrl, key: async () => falKey })),
  bedrock: promptedWriter(
    bedrockLanguageModel(
      bedrockRuntime({
        endpoint: bedrock.url,
        region: 'us-west-2',
        credentials: { accessKeyId: 'test', secretAccessKey: 'secret' },
      }),
    ),
  ),
};

const spoken = { language: 'pt', sentences: [{ id: 1, text: 'Você sabia disto?' }], passageCount: 1 };

const rank = (taskId: string, engine: WritingEngine) =>
  chargingTexts(
    needs,
    (onUse) => writers[engine].rankPassages(spoken, 14_000, onUse),
    (cost) => addRankingCost(store, taskId, cost),
  );

const photo = { bytes: tinyPng(12, 9), contentType: 'image/png', width: 12, height: 9 } as const;

/** Describes a product: a title with a word of the fake makes both of the answers unusable. */
const describeProduct = (accountId: string, engine: WritingEngine, title: string) =>
  chargingTexts(
    needs,
    (onUse) => writers[engine].describeProduct({ images: [photo], given: { title } }, 14_000, onUse),
    (cost) => table.transact(countProductTexts(accountId, testTime, cost)),
  );

/** What the descriptions of a round cost at each engine: one that succeeds, and one whose answers are unusable. */
export const describedMicros = { fal: 3 * 500, bedrock: 3 * 18 } as const;

function fail(code: 'CONTENT_REJECTED' | 'PROVIDER_ERROR' | 'INTERNAL_ERROR'): End {
  return { status: 'failed', code };
}

async function accept(task: Task, reference: string): Promise<void> {
  const acceptance = { engine: task.engine, reference, completion: 'callback', deadlineAt: task.deadlineAt } as const;
  // Two attempts may record the engine's response at the same time.
  await Promise.all([1, 2].map(() => recordAcceptance(needs, task, mainJob, acceptance)));
}

/** A task from its creation to its end; every report and end arrives twice. */
async function live(accountId: string, one: Case): Promise<void> {
  const { task: given, losses = 0, isAccepted, outcome, end, jobs = [], rankings = [] } = one;
  const task = aTask({ ...given, accountId, taskId: ids.next() });
  const { taskId, cost, taskType } = task;
  const debit = {
    id: ids.next(),
    accountId,
    amount: -cost,
    reason: 'generation',
    at: testTime,
    taskType,
    taskId,
  } as const;
  await table.transact([debitAccount(task), insertTask(task, testTime), appendLedgerRow(debit)]);
  for (let loss = 0; loss < losses; loss += 1) {
    await accept(task, `lost-${loss}`);
    await store.engineJobs.recordLoss({ taskId, name: mainJob }, `lost-${loss}`);
  }
  if (isAccepted) await accept(task, 'r-1');
  if (outcome) await Promise.all([1, 2].map(() => recordOutcome(needs, task, mainJob, outcome, isAccepted)));
  for (const [name, ended] of jobs) {
    const at = { engine: 'fal', reference: `${name}-1`, completion: 'callback', deadlineAt: task.deadlineAt } as const;
    await recordAcceptance(needs, task, name, at);
    if (ended) await Promise.all([1, 2].map(() => recordOutcome(needs, task, name, ended, true)));
  }
  if (!isTestAccount(accountId)) await Promise.all(rankings.map((engine) => rank(taskId, engine)));
  await Promise.all([1, 2].map(() => endTask(needs, task, end)));
}

export const accounts = Array.from({ length: 8 }, () => anAccount({ balance: 0 }));
const tester = anAccount({ accountId: testAccountOf(accounts[0]?.accountId ?? ''), balance: 10_000 });
export const opening = 10_000;
const rounds = 5;
/** How often each of the cases happens. */
export const times = accounts.length * rounds;
export const creditMicros = 20_000;

/** Everything that happens on the day. */
export async function liveThroughTheDay(): Promise<void> {
  await store.catalog.change('engine-prices', { credit: { micros: creditMicros } });
  await store.accounts.insert(tester, undefined);
  const days = accounts.map(async (account) => {
    const { accountId } = account;
    await store.accounts.insert(account, undefined);
    await store.accounts.post({ id: ids.next(), accountId, amount: opening, reason: 'bonus', at: testTime });
    for (let round = 0; round < rounds; round += 1) {
      for (const one of cases) await live(accountId, one);
      for (const engine of ['fal', 'bedrock'] as const) {
        await describeProduct(accountId, engine, 'Caneca');
        await describeProduct(accountId, engine, '[text:no-json]');
      }
    }
  });
  const tests = cases.map((one) => live(tester.accountId, one));
  await Promise.all([...days, ...tests]);
}
