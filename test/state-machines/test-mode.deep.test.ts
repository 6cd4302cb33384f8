/** Tasks of test tokens through the whole workflow, in a service without an engine. */
import { beforeEach, describe, expect, test } from 'vitest';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { testPurseCredits } from '../../shared/contracts/limits.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { expectMadeHere, expectMarked } from '../support/marked-results.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const clock = stillClock();
// The minute in which a callback is awaited becomes six seconds, within which a step also ends on a busy machine.
const host = await serviceInTests({ marksResults: true, clock, timeoutPace: 0.1, environment: { ENGINES: 'none' } });
const { context } = host.service;

let live: TestAccount;
let token: string;
let accountId: string;
beforeEach(async () => {
  live = await host.account({ planId: 'business' });
  accountId = testAccountOf(live.accountId);
  ({ token } = await host.token(accountId));
});

/** Nothing answers at this address. */
const unreachable = 'http://127.0.0.1:1/image.jpg';

async function create(operationId: OperationId, body: object, clientReference = ''): Promise<string> {
  const headers = clientReference ? { 'x-client-reference': clientReference } : {};
  const response = await host.call(operationId, { token, body, headers });
  expect(response.status).toBe(202);
  return (response.body.data as { taskId: string }).taskId;
}

const shows = (taskId: string, what: object) =>
  eventually(`${JSON.stringify(what)} in task ${taskId}`, async () => {
    const task = await context.tasks.find(taskId);
    return Object.entries(what).every(([name, value]) => task?.[name as keyof typeof task] === value) || undefined;
  });

/** Lets time pass until the task has ended. */
async function ended(taskId: string) {
  await eventually(`the end of task ${taskId}`, async () => {
    clock.advance(500);
    return (await context.tasks.find(taskId))?.endedAt;
  });
  return host.task(token, taskId);
}

/** These operations measure their files when a task is created. */
const measured: readonly string[] = ['imitateVideo'];

describe.each(Object.values(generateContracts))('a test task of $operationId', ({ operationId, medium }) => {
  const body = () => {
    const files = host.engine.inputUrls;
    return exampleBody(operationId, measured.includes(operationId) ? files : { ...files, image: unreachable });
  };

  test('completes with stored results, although its images cannot be downloaded and no engine is called', async () => {
    await giveExampleProduct(context, accountId, unreachable);
    const task = await ended(await create(operationId, body()));
    expect(task).toMatchObject({ status: 'completed', progress: 100, creditsRefunded: 0, test: true });
    for (const { contentType } of task.results ?? []) expect(contentType.startsWith(medium)).toBe(true);
    for (const read of await expectMarked(operationId, task)) {
      expectMadeHere(operationId, read);
      expect(read.json).not.toContain(accountId);
    }
    expect(host.engine.jobs.size).toBe(0);
    await host.audit();
  });

  test('fails as its test case says, and is refunded', async () => {
    await giveExampleProduct(context, accountId, unreachable);
    const given: Record<string, unknown> = body();
    const field = ['prompt', 'text', 'name', 'userPrompt'].find((name) => given[name] !== undefined);
    const marked = field === undefined ? given : { ...given, [field]: 'Oi [test:input_invalid].' };
    const reference = field === undefined ? 'order 1 [test:input_invalid]' : '';
    const task = await ended(await create(operationId, marked, reference));
    expect(task).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID' }, test: true });
    expect(task.creditsRefunded).toBe(task.creditsUsed);
    expect((await context.accounts.find(accountId))?.balance).toBe(testPurseCredits);
    await host.audit();
  });
});

test.each(Object.values(generateContracts))(
  'a live request of $operationId is rejected without charge',
  async ({ operationId }) => {
    await giveExampleProduct(context, live.accountId, host.engine.inputUrls.image);
    const before = await context.accounts.find(live.accountId);
    const body = exampleBody(operationId, host.engine.inputUrls);
    const { status, body: envelope } = await host.call(operationId, { token: live.token, body });
    expect([status, envelope.error]).toEqual([
      502,
      {
        code: 'GENERATION_FAILED',
        message: 'The generation could not be started: no engine is configured for this operation.',
      },
    ]);
    expect(await context.accounts.find(live.accountId)).toEqual(before);
  },
);

const speak = (text: string) => create('generateVoice', { text, voice: 'sarah' });

test('with [test:progress], a test task shows every step of progress while time passes', async () => {
  const taskId = await speak('[test:progress]');
  await shows(taskId, { status: 'processing', progress: 0 });
  for (let progress = 10; progress <= 90; progress += 10) {
    clock.advance(2000);
    await shows(taskId, { status: 'processing', progress });
  }
  clock.advance(2000);
  await shows(taskId, { status: 'completed' });
});

test('with [test:late_callback], a test task waits for a callback until its step ends, and is then completed', async () => {
  const taskId = await speak('[test:late_callback]');
  const { engineJobs } = context;
  const job = await eventually('the acceptance', async () => {
    const found = await engineJobs.find({ taskId, name: 'make' });
    return found.reference === undefined ? undefined : found;
  });
  expect(job.completion).toBe('callback');
  expect(await ended(taskId)).toMatchObject({ status: 'completed' });
});

test('a canceled test task is refunded', async () => {
  const taskId = await speak('[test:slow=120]');
  await shows(taskId, { status: 'processing' });
  expect((await host.call('cancelTask', { token, params: { taskId } })).status).toBe(200);
  expect((await context.accounts.find(accountId))?.balance).toBe(testPurseCredits);
});
