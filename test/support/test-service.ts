/** The service for tests: in memory, with a controllable clock and engine, and a webhook receiver. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { localFunctions } from '../../infra/local/functions.ts';
import { type Service, type ServiceOptions, startService } from '../../infra/local/host.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { scopes as allScopes, type Scope } from '../../shared/contracts/scopes.ts';
import type * as contracts from '../../shared/contracts/task.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { isTestAccount, liveAccountOf } from '../../shared/domain/test-account.ts';
import { type IssuedToken, issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { createFullContext, type FullContext } from '../../shared/runtime/full-context.ts';
import { closedCircuits } from './closed-circuits.ts';
import { eventually } from './eventually.ts';
import { responseProblems } from './openapi-validator.ts';
import { requireRegistered } from './registered-rows.ts';
import { type ScriptedEngine, scriptedEngine } from './scripted-engine.ts';
import { type SteppedClock, steppedClock } from './stepped-clock.ts';
import { storedItems } from './stored-items.ts';
import { testAccess } from './test-access.ts';
import { type WebhookReceiver, webhookReceiver } from './webhook-receiver.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: { success: boolean; data?: unknown; error?: { code: string; message: string } };
}

export interface Call {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request: a text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
}

export interface TestAccount extends IssuedToken {
  readonly accountId: string;
}

export interface TestService {
  readonly service: Service;
  readonly url: string;
  readonly clock: SteppedClock;
  readonly engine: ScriptedEngine;
  readonly receiver: WebhookReceiver;
  account(options?: { credits?: number; scopes?: readonly Scope[]; planId?: string }): Promise<TestAccount>;
  /** Creates a token of an account; for a test account, a test token. */
  token(accountId: string, scopes?: readonly Scope[], expiresAt?: number): Promise<IssuedToken>;
  /** Calls an operation over HTTP and validates the response against the published contract. */
  call(operationId: OperationId, call?: Call): Promise<TestResponse>;
  /** Creates a voice task and returns its id. */
  speak(token: string, body?: object, headers?: Record<string, string>): Promise<string>;
  task(token: string, taskId: string): Promise<contracts.Task>;
  ended(token: string, taskId: string): Promise<contracts.Task>;
  /** The account's credits, and the number of its tasks (10 if it has more). */
  standing(accountId: string): Promise<{ balance: number | undefined; tasks: number }>;
  /** Runs a function while the service's functions are called with a different context. */
  withContext<Result>(context: FullContext, work: () => Promise<Result>): Promise<Result>;
  /** Runs a function while the service's functions have different settings. */
  withEnvironment<Result>(environment: Readonly<Record<string, string>>, work: () => Promise<Result>): Promise<Result>;
  /** Fails unless every balance is the sum of its ledger and every slot belongs to an open task. */
  audit(): Promise<void>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** Multiplies the state machines' waits; small by default. */
  readonly pace?: number;
  /**
   * Multiplies the state machines' timeouts. By default a function ends within its state's timeout, as on AWS, and no
   * test may wait for one: with a small factor, a step on a busy machine could start again while it is still running.
   */
  readonly timeoutPace?: number;
  readonly engineCompletion?: 'callback' | 'polling';
  readonly urlPolicy?: 'public' | 'local';
  /** Whether circuits open for failing engines; by default they do not. */
  readonly watchesEngines?: boolean;
  /** Replaces functions by others that fail as a test requires. */
  readonly functions?: ServiceOptions['functions'];
  /** Replaces settings of the functions' environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether results are marked with Content Credentials; by default they are stored as they come from the engine. */
  readonly marksResults?: boolean;
  /** Whether people can log in to the dashboard. */
  readonly hasIdentity?: boolean;
  /** The service's clock; by default, one that runs. */
  readonly clock?: SteppedClock;
}

const sentence = { text: 'Uma frase curta.', voice: 'sarah' };

export const fill = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name));

/** Calls an operation of the service at a URL; fails unless the response matches the published contract. */
export async function send(url: string, operationId: OperationId, call: Call): Promise<TestResponse> {
  const { method, path } = registry[operationId];
  const { token, headers = {}, body, params, query } = call;
  const response = await fetch(`${url}${fill(path, params)}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const received = { status: response.status, headers: Object.fromEntries(response.headers), text };
  expect(responseProblems(operationId, received.status, received.headers, text)).toEqual([]);
  const isJson = received.headers['content-type']?.startsWith('application/json');
  return { ...received, body: (isJson ? JSON.parse(text) : {}) as TestResponse['body'] };
}

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-'));
  const { clock = steppedClock() } = options;
  const engineKey = 'scripted-engine-key';
  const [engine, receiver] = await Promise.all([scriptedEngine(engineKey), webhookReceiver()]);
  const contextFrom = (given: Readonly<Record<string, string>>, connect?: typeof testAccess): FullContext => {
    const made = createFullContext(given, { clock, ids: randomIds(clock), ...(connect && { connect }) });
    return options.watchesEngines ? made : { ...made, circuits: closedCircuits };
  };
  const overrides = {
    [settingVariables.offlineEngineUrl]: engine.url,
    [settingVariables.offlineEngineKey]: engineKey,
    ...(!options.marksResults && { [settingVariables.contentSigningKey]: 'none' }),
    ...options.environment,
  };
  const service = await startService({
    port: 0,
    dataDir,
    inMemory: true,
    urlPolicy: options.urlPolicy ?? 'local',
    engineCompletion: options.engineCompletion ?? 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    clock,
    ...(options.hasIdentity && { hasIdentity: true }),
    pace: options.pace ?? 0.02,
    timeoutPace: options.timeoutPace ?? 1,
    contextFrom: (given) => contextFrom({ ...given, ...overrides }, testAccess),
    functions: options.functions ?? localFunctions,
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const environment = { ...service.environment, ...overrides };
  const { context } = service;
  const webhookSecrets = webhookSecretsOf(context);

  const token: TestService['token'] = (accountId, scopes = allScopes, expiresAt) =>
    issueToken(
      { ...context, webhookSecrets },
      {
        accountId: liveAccountOf(accountId),
        name: 'test',
        mode: isTestAccount(accountId) ? 'test' : 'live',
        scopes,
        ...(expiresAt !== undefined && { expiresAt }),
      },
    );
  const call: TestService['call'] = (operationId, request = {}) => send(service.url, operationId, request);
  const task: TestService['task'] = async (bearer, taskId) => {
    const response = await call('getTask', { token: bearer, params: { taskId } });
    return response.body.data as contracts.Task;
  };
  const inspect = async (taskId: string) => {
    const found = await context.tasks.find(taskId);
    return found?.endedAt === undefined ? undefined : found;
  };

  const standing: TestService['standing'] = async (accountId) => {
    const [found, ids] = await Promise.all([
      context.accounts.find(accountId),
      context.tasks.ids(accountId, {}, { limit: 10, offset: 0 }),
    ]);
    return { balance: found?.balance, tasks: ids.length };
  };

  const withContext: TestService['withContext'] = async (other, work) => {
    service.bind(other);
    return work().finally(() => service.bind(context));
  };

  return {
    service: { ...service, environment },
    url: service.url,
    clock,
    engine,
    receiver,
    token,
    call,
    standing,
    task,
    async account({ credits = 1000, scopes, planId } = {}) {
      const { accountId } = await createAccount(context, {
        email: 'test@example.com',
        name: 'Test',
        credits,
        ...(planId && { planId }),
      });
      return { accountId, ...(await token(accountId, scopes)) };
    },
    async speak(bearer, body = sentence, headers = {}) {
      const response = await call('generateVoice', { token: bearer, body, headers });
      expect(response.status).toBe(202);
      return (response.body.data as { taskId: string }).taskId;
    },
    async ended(bearer, taskId) {
      // The end is read from the table, because polling the API would exhaust the token's rate limit.
      await eventually(`the end of task ${taskId}`, () => inspect(taskId));
      return task(bearer, taskId);
    },
    withContext,
    withEnvironment: (given, work) => withContext(contextFrom({ ...environment, ...given }), work),
    async audit() {
      const { drifts } = (await service.invoke('auditLedger', {})) as { drifts: unknown[] };
      expect(drifts).toEqual([]);
    },
    async close() {
      const rows = await storedItems(service.environment);
      await service.close();
      await Promise.all([engine.close(), receiver.close()]);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
      requireRegistered(rows.values());
    },
  };
}

/** A service for the tests of a file, closed after them. */
export async function serviceInTests(options: TestServiceOptions = {}): Promise<TestService> {
  const host = await testService(options);
  afterAll(() => host.close());
  return host;
}
