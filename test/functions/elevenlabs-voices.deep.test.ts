/** The audio operations through the service with a fake of ElevenLabs, including temporary and final failures. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ElevenLabsBehavior,
  type ElevenLabsFake,
  type ElevenLabsOutcome,
  startElevenLabsFake,
} from '../../fakes/elevenlabs/elevenlabs-fake.ts';
import { failureMessage, type TaskErrorCode } from '../../shared/contracts/errors.ts';
import { elevenLabsEnvironment, elevenLabsKey } from '../support/elevenlabs-environment.ts';
import { exampleBody } from '../support/example-body.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

const behavior: ElevenLabsBehavior = { next: [], last: 'done', workMs: 20 };
const concurrency = 3;

let fake: ElevenLabsFake;
let host: TestService;
let account: TestAccount;

beforeAll(async () => {
  fake = await startElevenLabsFake({ key: elevenLabsKey, behavior, concurrency });
  host = await testService({ watchesEngines: true, environment: elevenLabsEnvironment(fake) });
});
afterAll(async () => {
  await host.close();
  await fake.close();
});
beforeEach(async () => {
  Object.assign(behavior, { next: [], last: 'done' });
  account = await host.account({ credits: 100 });
});

const operations = ['generateVoice', 'changeVoice'] as const;
type Operation = (typeof operations)[number];

const post = async (operationId: Operation, changes: object = {}) => {
  const body = { ...exampleBody(operationId, host.engine.inputUrls), ...changes };
  return host.call(operationId, { token: account.token, body });
};

async function made(operationId: Operation, changes: object = {}) {
  const response = await post(operationId, changes);
  expect(response.status, response.text).toBe(202);
  return host.ended(account.token, (response.body.data as { taskId: string }).taskId);
}

type Kind = [name: string, outcomes: readonly ElevenLabsOutcome[], code?: TaskErrorCode | undefined, requests?: number];

/** How often an attempt that failed temporarily is made. */
const attempts = 5;
const kinds: Kind[] = [
  ['succeeds', []],
  ['rejects the input', ['invalid_parameters'], 'INPUT_INVALID'],
  ['has no free slot at first', ['concurrent_limit_exceeded', 'too_many_concurrent_requests'], undefined, 3],
  ['fails once', ['internal_server_error'], undefined, 2],
  ['is unavailable', Array.from({ length: attempts }, () => 'gateway'), 'PROVIDER_ERROR', attempts],
];

test.for(operations.flatMap((operation) => kinds.map((kind) => [operation, ...kind] as const)))(
  'with ElevenLabs, %s with a provider that %s is charged only if it completes, with no unnecessary requests',
  async ([operationId, , outcomes, code, requests = 1]) => {
    behavior.next = [...outcomes];
    const before = fake.requests.length;
    const task = await made(operationId);
    expect(task.error).toEqual(code && { code, message: failureMessage(code) });
    const cost = operationId === 'generateVoice' ? 1 : 2;
    expect(task).toMatchObject({ status: code ? 'failed' : 'completed', creditsUsed: cost });
    expect(task.creditsRefunded).toBe(code ? cost : 0);
    const stored = await host.service.context.accounts.find(account.accountId);
    expect(stored).toMatchObject({ balance: code ? 100 : 100 - cost, openTasks: [] });
    expect(fake.requests.length - before).toBe(requests);
    if (!code) {
      expect(task.results).toMatchObject([{ contentType: 'audio/mpeg' }]);
      expect((await fetch(task.resultUrl ?? '')).headers.get('content-type')).toBe('audio/mpeg');
    }
    const { input: _input, ...shown } = task;
    expect(JSON.stringify(shown)).not.toMatch(/eleven|secret|request_id/i);
  },
);

test('when there are more tasks than slots at ElevenLabs, they wait and all complete', async () => {
  const tasks = await Promise.all(Array.from({ length: 8 }, () => made('generateVoice')));
  expect(tasks.map(({ status }) => status)).toEqual(tasks.map(() => 'completed'));
});

test('the next task uses a voice’s ElevenLabs id that was changed in the catalog', async () => {
  const { catalog } = host.service.context;
  await catalog.change('voices', { sarah: 'JBFqnCBsd6RMkjVDRZzb' });
  host.clock.advance(30_000);
  await made('generateVoice', { voice: 'sarah' });
  expect(fake.requests.at(-1)?.path).toContain('/JBFqnCBsd6RMkjVDRZzb?');
  await catalog.change('voices', { sarah: undefined });
  host.clock.advance(30_000);
  await made('generateVoice', { voice: 'sarah' });
  expect(fake.requests.at(-1)?.path).toContain('/EXAVITQu4vr4xnSDxMaL?');
});

test('the ledger is correct after all ElevenLabs tasks', () => host.audit());
