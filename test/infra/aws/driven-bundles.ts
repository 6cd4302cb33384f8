/** Tests of the deployed bundles, run against the local database, storage, queue and state machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundles } from '../../../infra/aws/bundles.ts';
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { type OperateOperationId, operateContracts } from '../../../shared/contracts/operate.ts';
import type { OperateContract } from '../../../shared/contracts/operation.ts';
import { eventually } from '../../support/eventually.ts';
import { callAsOperator, giveOperator } from '../../support/given-operator.ts';
import { type TestAccount, type TestService, testService } from '../../support/test-service.ts';

/** Calls the bundles as Lambda would, in a process with only the functions' environment. */
const program = `
  const context = { getRemainingTimeInMillis: () => 20000 };
  process.on('message', async ({ call, path, event }) => {
    try {
      const { handler } = await import(path);
      process.send({ call, result: (await handler(event, context)) ?? null });
    } catch (error) {
      process.send({ call, failure: String(error.stack) });
    }
  });`;

interface Outcome {
  readonly call: number;
  readonly result?: unknown;
  readonly failure?: string;
}

function bundleProcess(environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...environment, POWERTOOLS_LOG_LEVEL: 'SILENT', AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', ({ call, result, failure }: Outcome) => {
    if (failure === undefined) pending.get(call)?.resolve(result);
    else pending.get(call)?.reject(new Error(failure));
    pending.delete(call);
  });
  let calls = 0;
  return {
    invoke(path: string, event: unknown): Promise<unknown> {
      const call = calls++;
      const outcome = Promise.withResolvers<unknown>();
      pending.set(call, outcome);
      child.send({ call, path, event });
      return outcome.promise;
    },
    end: () => child.kill(),
  };
}

let host: TestService;
let account: TestAccount;
let running: ReturnType<typeof bundleProcess> | undefined;
const called = new Set<string>();

async function completesTask(): Promise<void> {
  const body = { text: 'Uma frase curta.', voice: 'sarah', callbackUrl: host.receiver.url };
  const taskId = await host.speak(account.token, body);
  const job = await host.engine.jobOf(taskId);
  expect(await host.engine.callBack(job, host.engine.done(job))).toBe(200);
  const task = await host.ended(account.token, taskId);
  expect(task.status).toBe('completed');
  const result = await fetch(task.resultUrl ?? '');
  expect(result.status).toBe(200);
  await eventually('its webhook', () => host.receiver.of(taskId)[0]);
  // The WebAssembly file of the library that marks results is beside the bundle.
  const { results = [] } = await host.task(account.token, taskId);
  expect(results).toMatchObject([{ provenance: { standard: 'c2pa' } }]);
  await host.audit();
  for (const name of ['generateVoice', 'askEngine', 'receiveEngineCallback', 'finalize', 'deliverWebhook', 'getTask'])
    expect(called).toContain(name);
}

async function repeatsAndRejects(): Promise<void> {
  const headers = { 'Idempotency-Key': 'the same one' };
  const first = await host.speak(account.token, undefined, headers);
  expect(await host.speak(account.token, undefined, headers)).toBe(first);
  const rejected = await host.call('generateVoice', { token: account.token, body: { text: '' } });
  expect(rejected.status).toBe(400);
  expect(rejected.body.error?.message).toContain('text');
  expect((await host.call('getProfile', { token: 'unknown' })).status).toBe(401);
}

/** Requests at the same time, so that the table rejects transactions with errors that a bundle has to recognize. */
async function debitsOnce(): Promise<void> {
  const { token } = await host.account({ credits: 1 });
  const body = { text: 'Olá.', voice: 'sarah' };
  const responses = await Promise.all(Array.from({ length: 4 }, () => host.call('generateVoice', { token, body })));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 402, 402, 402]);
}

async function readsAndChecksHealth(): Promise<void> {
  const [list, history, plans] = await Promise.all([
    host.call('listTasks', { token: account.token }),
    host.call('listCreditHistory', { token: account.token }),
    host.call('listPlans'),
  ]);
  expect([list.status, history.status, plans.status]).toEqual([200, 200, 200]);
  expect(JSON.stringify(list.body.data)).toContain('completed');
  // A dependency that a busy machine reaches too late counts as failing until the next check.
  await eventually('the health of every part', async () => {
    const { body } = await host.call('getHealth');
    const { checks } = body.data as { checks: object };
    return isDeepStrictEqual(checks, { database: 'ok', storage: 'ok', queue: 'ok' }) || undefined;
  });
}

async function sweepsAndAudits(): Promise<void> {
  await host.service.invoke('sweepTasks', {});
  expect(await host.service.invoke('auditLedger', {})).toMatchObject({ drifts: [] });
}

const readsOfOperators = Object.values(operateContracts as Record<string, OperateContract>).filter(
  ({ method, params, query }) => method === 'GET' && !params && !query,
);

async function answersOperators(): Promise<void> {
  const { cookie } = await giveOperator(host.service.context, 'admin');
  for (const { operationId } of readsOfOperators) {
    const { status, body } = await callAsOperator(host.url, operationId as OperateOperationId, { cookie });
    expect([operationId, status, body.success]).toEqual([operationId, 200, true]);
    expect(called).toContain(operationId);
  }
}

/** Registers the tests; all of them use one host, whose functions are the bundles. */
export function drivenBundles(bundled: () => Bundles): void {
  beforeAll(async () => {
    const bundles = bundled().functions;
    // While the host starts, it handles calls itself, because the process with the bundles has no environment yet.
    const functions = wrapFunctions((name, handler) => (event, context) => {
      const path = bundles[name]?.path;
      if (!running || !path) return handler(event, context);
      called.add(name);
      return running.invoke(path, event);
    });
    host = await testService({
      marksResults: true,
      functions,
    });
    running = bundleProcess(host.service.environment);
    account = await host.account({ credits: 100 });
  });
  afterAll(async () => {
    await host.close();
    running?.end();
  });

  test('a task completes, from its creation through engine, callback and storage to its webhook', completesTask);
  test(
    'a repeated request with an idempotency key returns the stored response, and an invalid request returns an error',
    repeatsAndRejects,
  );
  test('of four requests at the same time, an account with credits for one creates one task', debitsOnce);
  test('reads return what was written, and the health check finds every dependency healthy', readsAndChecksHealth);
  test('every read with which an operators’ page begins succeeds', answersOperators);
  test('a scheduled sweep and audit find no problem', sweepsAndAudits);
}
