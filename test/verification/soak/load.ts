/** The actions of a soaked service's customers; each response must be an expected one that conforms to the contract. */
import { expect } from 'vitest';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import type { Numbers } from '../../support/seeded-numbers.ts';
import { type Call, send } from '../../support/test-service.ts';

interface LoadOptions {
  readonly context: FullContext;
  readonly url: string;
  readonly hookUrl: string;
  readonly numbers: Numbers;
  readonly accounts: number;
}

type Customer = Awaited<ReturnType<typeof signUp>>;

export interface Load extends Omit<LoadOptions, 'accounts'> {
  readonly customers: readonly Customer[];
  /** The number of responses by status or code. */
  readonly codes: Record<string, number>;
  /** The tasks in the responses to creations, and those that can only be canceled. */
  readonly promised: Set<string>;
  readonly unending: Set<string>;
}

const texts = ['boa', 'boa', 'boa', '[test:provider_error]'];
/** The text of a task that is canceled, because it takes too long. */
const unending = '[test:slow=120]';
/** The paths of receivers, whose names say how each responds. */
const hooks = ['accepts', 'accepts', 'accepts', 'recovers', 'rejects', 'hangs-up'];
const queries = ['', 'limit=5&offset=10', 'status=completed', 'status=failed&limit=100', 'taskType=voice'];
const badBodies = [{}, { text: '', voice: 'sarah' }, { text: 'boa', voice: 'unknown' }, { text: 'boa', stability: 2 }];

/** The number of tokens, each of which allows 60 requests a minute. */
const tokensPerAccount = 8;
/** More tasks than an account may have open at the same time, so that some are rejected. */
const crowdSize = 24;

async function signUp(context: FullContext) {
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { accountId } = await createAccount(context, { email: 'soak@example.com', name: 'Soak', credits: 0 });
  const request = { accountId, mode: 'test', name: 'soak', scopes } as const;
  const issued = Array.from({ length: tokensPerAccount }, () => issueToken(needs, request));
  return { tokens: (await Promise.all(issued)).map(({ token }) => token), tasks: [] as string[] };
}

export async function startLoad({ accounts, ...options }: LoadOptions): Promise<Load> {
  const customers = await Promise.all(Array.from({ length: accounts }, () => signUp(options.context)));
  return { ...options, customers, codes: {}, promised: new Set(), unending: new Set() };
}

const pick = <Value>({ numbers }: Load, values: readonly Value[]) => values[numbers(values.length)];
const tokenOf = (load: Load, { tokens }: Customer) => pick(load, tokens) ?? '';

/**
 * Sends a request; `expected` are statuses of successes and codes of errors. Any request may also be rejected because
 * its token's rate limit is reached.
 */
async function ask(load: Load, operationId: OperationId, call: Call, ...expected: string[]) {
  const { status, body } = await send(load.url, operationId, call);
  const code = body.error?.code ?? String(status);
  load.codes[code] = (load.codes[code] ?? 0) + 1;
  expect([...expected, 'RATE_LIMITED'], operationId).toContain(code);
  return { code, data: body.data };
}

/** Sends two requests with one key, concurrently or one after the other: both get the same task. */
async function create(load: Load, customer: Customer, text = pick(load, texts)): Promise<string | undefined> {
  const key = load.context.ids.next();
  const callback = load.numbers(2) === 0 && { callbackUrl: `${load.hookUrl}/${pick(load, hooks)}` };
  const question = {
    token: tokenOf(load, customer),
    headers: { 'idempotency-key': key, 'x-client-reference': key },
    body: { text, voice: 'sarah', ...callback },
  };
  const once = () => ask(load, 'generateVoice', question, '202', 'INSUFFICIENT_CREDITS', 'MAX_CONCURRENT_TASKS');
  const first = once();
  if (load.numbers(2) === 0) await first;
  const accepted = (await Promise.all([first, once()])).filter(({ code }) => code === '202');
  const [taskId, ...others] = new Set(accepted.map(({ data }) => (data as { taskId: string }).taskId));
  expect(others, 'one key makes one task').toEqual([]);
  if (taskId === undefined) return undefined;
  load.promised.add(taskId);
  customer.tasks.push(taskId);
  if (text === unending) load.unending.add(taskId);
  return taskId;
}

async function cancel(load: Load, customer: Customer, taskId: string): Promise<void> {
  const question = { token: tokenOf(load, customer), params: { taskId } };
  const once = () => ask(load, 'cancelTask', question, '200', 'TASK_NOT_CANCELABLE');
  await Promise.all([once(), once()]);
}

async function createAndCancel(load: Load, customer: Customer): Promise<void> {
  const taskId = await create(load, customer, unending);
  if (taskId !== undefined) await cancel(load, customer, taskId);
}

async function crowd(load: Load, customer: Customer): Promise<void> {
  await Promise.all(Array.from({ length: crowdSize }, () => createAndCancel(load, customer)));
}

async function read(load: Load, customer: Customer): Promise<void> {
  const [token, taskId] = [tokenOf(load, customer), pick(load, customer.tasks)];
  if (taskId !== undefined) await ask(load, 'getTask', { token, params: { taskId } }, '200');
  await ask(load, 'listTasks', { token, query: pick(load, queries) ?? '' }, '200');
  await ask(load, 'listCreditHistory', { token }, '200');
  await ask(load, 'listPlans', {}, '200');
}

async function beRejected(load: Load, customer: Customer): Promise<void> {
  const token = tokenOf(load, customer);
  const stranger = load.customers.find((one) => one !== customer);
  const taskId = pick(load, stranger?.tasks ?? []) ?? 'no-such-task';
  await ask(load, 'getProfile', { token: 'av_short' }, 'UNAUTHORIZED');
  await ask(load, 'generateVoice', { token, body: pick(load, badBodies) ?? {} }, 'VALIDATION_ERROR');
  await ask(load, 'getTask', { token, params: { taskId } }, 'NOT_FOUND');
}

/** The actions with their relative frequencies. */
const shares = [
  [12, create],
  [8, read],
  [4, createAndCancel],
  [4, beRejected],
  [1, crowd],
] as const;

const actions = shares.flatMap(([share, action]) => Array.from({ length: share }, () => action));

/** Performs one action for some customer. */
export async function act(load: Load): Promise<void> {
  const customer = pick(load, load.customers);
  if (customer) await pick(load, actions)?.(load, customer);
}

/** Cancels tasks that would never end. */
export async function cancelUnending(load: Load): Promise<void> {
  for (const customer of load.customers)
    for (const taskId of customer.tasks.filter((one) => load.unending.has(one)))
      if ((await load.context.tasks.find(taskId))?.endedAt === undefined) await cancel(load, customer, taskId);
}
