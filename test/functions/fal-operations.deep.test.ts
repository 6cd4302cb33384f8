/**
 * All generation operations through the service with a fake of fal.ai. The handling of each kind of failure and callback
 * is tested with the adapter.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { FalBehavior } from '../../fakes/fal/fal-behavior.ts';
import { startFalFake } from '../../fakes/fal/fal-fake.ts';
import { choicesOf } from '../../shared/catalog/engines.ts';
import { failureMessage, type TaskErrorCode } from '../../shared/contracts/errors.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import type { Task } from '../../shared/contracts/task.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { type TestAccount, testService } from '../support/test-service.ts';

const quick: Partial<FalBehavior> = { queueMs: 0, runMs: 20 };
/** How the fake handles the next jobs. */
const behavior: Partial<FalBehavior> = { ...quick };
const treat = (outcome: Partial<FalBehavior>) => {
  for (const name of Object.keys(behavior)) delete behavior[name as keyof FalBehavior];
  Object.assign(behavior, quick, outcome);
};

let account: TestAccount;

const fake = await startFalFake({ key: falKey, behavior, concurrency: 20, retryDelaysMs: [20, 20] });
const host = await testService({
  watchesEngines: true,
  // A provider that never calls back is polled after six seconds.
  timeoutPace: 0.1,
  environment: falEnvironment(fake),
});
afterAll(async () => {
  await host.close();
  await fake.close();
});
beforeEach(async () => {
  account = await host.account({ credits: 100, planId: 'business' });
  await giveExampleProduct(host.service.context, account.accountId, host.engine.inputUrls.image);
});

const operations = Object.values(generateContracts)
  .filter(({ taskType }) => choicesOf(['fal'])[taskType].routes.some((route) => route.startsWith('fal/')))
  .map(({ operationId }) => operationId);

/** The published example, adapted to a model that supports only transparent backgrounds. */
const bodyOf = (operationId: OperationId) => ({
  ...exampleBody(operationId, host.engine.inputUrls),
  ...(operationId === 'removeBackground' && { background: 'transparent' }),
  callbackUrl: host.receiver.url,
});

interface Followed {
  readonly task: Task;
  readonly cost: number;
  /** The observed statuses, in order. */
  readonly seen: readonly string[];
}

/** Creates a task and polls it until its webhook has been delivered. */
async function follow(operationId: OperationId): Promise<Followed> {
  const { token } = account;
  const dry = await host.call(operationId, { token, body: bodyOf(operationId), headers: { 'x-dry-run': 'true' } });
  const { cost } = dry.body.data as { cost: number };
  const response = await host.call(operationId, { token, body: bodyOf(operationId) });
  expect(response.status).toBe(202);
  const { taskId } = response.body.data as { taskId: string };
  const seen: string[] = [];
  await eventually(`the webhook of ${taskId}`, async () => {
    const found = await host.service.context.tasks.find(taskId);
    if (found && seen.at(-1) !== found.status) seen.push(found.status);
    return found?.webhookStatus === 'delivered' || undefined;
  });
  return { task: await host.task(token, taskId), cost, seen };
}

const order = ['pending', 'submitted', 'processing', 'completed', 'failed'];

async function expectEnd({ task, cost, seen }: Followed, code: TaskErrorCode | undefined): Promise<void> {
  expect(task.error).toEqual(code && { code, message: failureMessage(code) });
  expect(task.status).toBe(code ? 'failed' : 'completed');
  expect(seen).toEqual(seen.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
  expect(task).toMatchObject({ creditsUsed: cost, creditsRefunded: code ? cost : 0 });
  const stored = await host.service.context.accounts.find(account.accountId);
  expect(stored).toMatchObject({ balance: code ? 100 : 100 - cost, openTasks: [] });
}

/**
 * Checks that nothing that clients receive reveals the provider; signatures are left out, because random letters can
 * spell its name.
 */
function expectDiscretion({ task }: Followed): void {
  const { input: _input, ...rest } = task;
  const deliveries = host.receiver.of(task.id).map(({ headers, ...delivery }) => {
    const { 'webhook-signature': _signature, 'x-webhook-token': _token, ...others } = headers;
    return { ...delivery, headers: others };
  });
  const visible = JSON.stringify([rest, deliveries]);
  for (const word of ['fal', 'queue', 'detail', 'request_id', new URL(fake.queueUrl).host, 'secret-of-the-provider']) {
    expect(visible).not.toContain(word);
  }
}

type Kind = [name: string, outcome: Partial<FalBehavior>, code?: TaskErrorCode];

/** Failures tested for each operation; other provider behavior is the same for all, so one operation covers it. */
const kindsForAll: Kind[] = [
  ['succeeds', {}],
  ['breaks', { end: 'downstream_service_error' }, 'PROVIDER_ERROR'],
];
const kindsForOne: Kind[] = [
  ['calls back twice', { callbacks: ['true', 'true'] }],
  ['never calls back', { callbacks: [] }],
  ['is busy at first', { submissions: [{ status: 429, retryAfterSeconds: 1 }, { status: 503 }] }],
  ['is unavailable', { submissions: Array.from({ length: 9 }, () => ({ status: 503 })) }, 'PROVIDER_ERROR'],
];
const cases = [
  ...kindsForAll.flatMap((kind) => operations.map((operationId) => [kind, operationId] as const)),
  ...kindsForOne.map((kind, index) => [kind, operations[index % operations.length] as OperationId] as const),
].map(([[name, outcome, code], operationId]) => ({ name, outcome, code, operationId, end: code ?? 'a result' }));

test.for(cases)(
  'if fal.ai $name, a task of $operationId ends with $end and the matching charge, and nothing in it mentions fal.ai',
  async ({ outcome, code, operationId }) => {
    treat(outcome);
    const followed = await follow(operationId);
    await expectEnd(followed, code);
    expectDiscretion(followed);
    const asked = (followed.task.input.numImages as number | undefined) ?? 1;
    expect(followed.task.results?.length ?? 0).toBe(code ? 0 : asked);
  },
);

test.each(['generateVoice', 'generateImage'] as const)(
  'repeated callbacks about a task of %s cause one request for its billed units if their price is known, else none',
  async (operationId) => {
    treat({ callbacks: ['true', 'true'] });
    const { context } = host.service;
    const price = { per: 'character', micros: 1, statedMicros: 7_000_000, charged: [] };
    await context.catalog.change('engine-prices', { 'fal/elevenlabs-multilingual-v2': price });
    const before = fake.requests.length;
    const catalog = catalogStore(context.table, context.clock, () => ['fal']);
    const { task } = await host.withContext({ ...context, catalog }, () => follow(operationId));
    const results = fake.requests.slice(before).filter(({ path }) => /\/requests\/[^/]+$/.test(path));
    const isStated = operationId === 'generateVoice';
    expect(results).toHaveLength(isStated ? 1 : 0);
    const { engineCost } = (await context.tasks.find(task.id)) ?? {};
    const images = (task.input.numImages as number | undefined) ?? 1;
    expect(engineCost).toBe(isStated ? String(task.input.text).length * 7000 : images * 80_000);
  },
);

test('the ledger audit finds no drift after all fal.ai tasks', () => host.audit());
