/**
 * The inspected properties of a generation request determine its route and are stored with its task, on the real table.
 */
import { beforeEach, expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { failuresThatOpen, unusedCircuit } from '../../../shared/domain/generation/circuit.ts';
import type { Inspection } from '../../../shared/domain/generation/inspection.ts';
import { requestGeneration } from '../../../shared/domain/generation/request-generation.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { type Stores, stores } from '../../../shared/domain/stores.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { type GenerationNeeds, generationNeeds } from '../../support/generation-needs.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';

let accountId: string;

const clock = { now: () => testTime };
const body = { text: 'Uma frase.', voice: 'sarah' };

const host = await tableInTests();
beforeEach(async () => {
  const account = anAccount({ balance: 100 });
  await stores(host.table, clock).accounts.insert(account, undefined);
  ({ accountId } = account);
});

interface Given {
  readonly engines?: readonly string[];
  readonly taskType?: TaskType;
  readonly body?: Record<string, unknown>;
  readonly inspect?: (inspection: Inspection) => object;
  readonly others?: Partial<GenerationNeeds>;
}

/** The task that a request creates, or why it was rejected. */
async function requested({ engines = ['offline'], taskType = 'voice', inspect, others, ...given }: Given = {}) {
  const store: Stores = stores(host.table, clock, { engines: engines.join(',') });
  const request = {
    body: { ...body, ...given.body },
    headers: {},
    actor: { accountId, tokenId: testIds.next() },
    idempotency: undefined,
    requestId: testIds.next(),
    retryAfter: () => undefined,
  };
  const rules = {
    cost: () => 3,
    ...(inspect && { inspect: async (_body: object, inspection: Inspection) => inspect(inspection) }),
  };
  try {
    await requestGeneration(request, generationNeeds(store, others), generationOf(taskType), rules);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return {
      rejection: { kind: error.kind, ...error.details },
      balance: (await store.accounts.find(accountId))?.balance,
    };
  }
  const [taskId = ''] = await store.tasks.ids(accountId, {}, { limit: 1, offset: 0 });
  return { task: await store.tasks.find(taskId) };
}

test('a request that no configured engine can process is rejected without a charge', async () => {
  expect(await requested({ engines: ['bedrock'] })).toEqual({
    rejection: {
      kind: 'generation-failed',
      message: 'The generation could not be started: no engine is configured for this operation.',
    },
    balance: 100,
  });
});

test('a request that no route supports is rejected, naming the unsupported fields, without a charge', async () => {
  const rejected = { rejection: { kind: 'invalid', message: 'voiceId is not supported' }, balance: 100 };
  expect(await requested({ engines: ['fal'], body: { voiceId: 'an id' } })).toEqual(rejected);
  expect(await requested({ engines: ['fal'] })).toMatchObject({ task: { route: 'fal/elevenlabs-multilingual-v2' } });
  const inspect = ({ files }: Inspection) => {
    files.set('audioUrl', { contentType: 'image/png' });
    return {};
  };
  const change = { engines: ['fal'], taskType: 'voice-change', body: { voiceId: 'an id', audioUrl: 'a' } } as const;
  expect(await requested({ ...change, inspect })).toMatchObject({
    rejection: { message: expect.stringMatching(/^voiceId is not supported; audioUrl must be /) },
  });
});

test('what the inspection of a field finds is stored with the task and used to choose its route', async () => {
  const found = { engines: ['fal'], inspect: () => ({ voiceId: 'an id' }) };
  expect(await requested(found)).toMatchObject({ rejection: { message: 'voiceId is not supported' } });
  expect(await requested({ ...found, engines: ['fal', 'offline'] })).toMatchObject({
    task: { route: 'offline/voice', input: body, derived: { voiceId: 'an id' } },
  });
});

test('a request whose route has an open circuit for the account is rejected with the time after which to retry', async () => {
  const use = { failures: failuresThatOpen, usedAt: testTime, openUntil: testTime + 12_500 };
  const circuit = { ...unusedCircuit, accounts: { [accountId]: use } };
  const circuits = { ...closedCircuits, read: async () => new Map([['offline/voice', circuit]]) };
  expect(await requested({ others: { circuits } })).toEqual({
    rejection: {
      kind: 'engine-unavailable',
      message: 'The engine is currently unavailable.',
      retryAfterSeconds: 13,
    },
    balance: 100,
  });
});

test('the task stores the measured duration of each file by its field, and nothing for files without a duration', async () => {
  const inspect = ({ files }: Inspection) => {
    files.set('imageUrl', { contentType: 'image/png' }).set('audioUrl', { durationSec: 12.5 });
    return {};
  };
  expect(await requested({ inspect })).toMatchObject({ task: { measuredSeconds: { audioUrl: 12.5 } } });
  const still = ({ files }: Inspection) => {
    files.set('imageUrl', { contentType: 'image/png' });
    return {};
  };
  expect((await requested({ inspect: still })).task).not.toHaveProperty('measuredSeconds');
});

test('a task that creates an influencer stores the influencer’s future id', async () => {
  expect(await requested({ taskType: 'influencer' })).toMatchObject({
    task: { influencerId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
});

test('an inspection can determine the durations of linked videos if the service is configured for it', async () => {
  const given: unknown[] = [];
  const inspect = (inspection: Inspection) => {
    given.push(inspection.videoResolver);
    return {};
  };
  const videoResolver = { supports: () => true, resolve: async () => ({ status: 'missing' }) as const };
  await requested({ inspect, others: { videoResolver } });
  await requested({ inspect });
  expect(given).toEqual([videoResolver, undefined]);
});
