/** Clients' commands: create, repeat, cancel, and exceed the request limit. */
import { tokenDigest } from '../../../shared/domain/tokens/token.ts';
import type { TestResponse } from '../../support/test-service.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { ensure } from '../oracle/ensure.ts';
import { type Act, type Command, command, nthOf, taskAt } from './command.ts';
import { isOpen, type ModelAccount, type Permit, roomFor, storedName } from './model.ts';
import { asking, codeOf, isLimited, roomIn } from './request-limit.ts';

export interface CreateArgs {
  readonly account: number;
  readonly key?: string | undefined;
  readonly characters: number;
  readonly voice: 'sarah' | 'bill';
  readonly webhook: boolean;
}

const charactersPerCredit = 50;
const costOf = ({ characters }: CreateArgs): number => Math.ceil(characters / charactersPerCredit);

export function accountAt({ model }: Act, nth: number): ModelAccount {
  const account = nthOf(model.accounts, nth);
  if (!account) throw new Error('the model has no account');
  return account;
}

/** An internal error is allowed only after a fault that outlasts all retries. */
export function ensureResponse({ world }: Act, response: TestResponse, expected: string): void {
  const excused = world.faults.disturbed && response.status >= 500;
  ensure(excused || codeOf(response) === expected, 'a request gets the response that the model predicts', {
    expected,
    response,
  });
}

const posting =
  ({ world }: Act, { key, characters, voice, webhook }: CreateArgs) =>
  (token: string): Promise<TestResponse> =>
    world.host.call('generateVoice', {
      token,
      body: { text: 'a'.repeat(characters), voice, ...(webhook && { callbackUrl: world.callbackUrl }) },
      headers: { ...(key && { 'idempotency-key': key, 'x-client-reference': key }) },
    });

/** One request, and its response unless the limit rejected it. */
export async function askingOnce(
  act: Act,
  account: ModelAccount,
  request: (token: string) => Promise<TestResponse>,
): Promise<TestResponse | undefined> {
  const [response] = await asking(act, account, [request]);
  return response && !isLimited(response) ? response : undefined;
}

/** The stored response of a key. */
const storedFor = ({ model, world }: Act, account: ModelAccount, key: string | undefined) => {
  const stored = key === undefined ? undefined : model.kept.get(storedName(account, key));
  return stored && stored.validUntil > world.clock.now() ? stored : undefined;
};

function rejectionOf({ byBalance, bySlots }: ReturnType<typeof roomFor>): string | undefined {
  if (byBalance < 1) return 'INSUFFICIENT_CREDITS';
  return bySlots < 1 ? 'MAX_CONCURRENT_TASKS' : undefined;
}

function ensureReplay(response: TestResponse, text: string): void {
  if (response.status !== 202) return;
  ensure(response.text === text, 'a repeated request gets the first response', { response, text });
  ensure(response.headers['idempotent-replayed'] === 'true', 'a repeated response says so', response.headers);
}

interface TaskOrder {
  readonly account: ModelAccount;
  readonly key?: string | undefined;
  readonly cost: number;
  /** What the request is rejected with before anybody looks at credits and slots. */
  readonly rejection?: string | undefined;
}

/** Requests a task once. */
export async function creatingTask(
  act: Act,
  { account, key, cost, rejection: earlier }: TaskOrder,
  request: (token: string) => Promise<TestResponse>,
): Promise<Permit> {
  const stored = storedFor(act, account, key);
  const rejection = stored ? undefined : (earlier ?? rejectionOf(roomFor(act.model, account, cost)));
  const response = await askingOnce(act, account, request);
  if (!response) return { exactly: 0 };
  ensureResponse(act, response, rejection ?? '202');
  if (stored) ensureReplay(response, stored.text);
  if (stored || rejection) return { exactly: 0 };
  return { births: { account, cost, key, atMost: 1 }, exactly: 1 };
}

export const create = (args: CreateArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'create',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      return creatingTask(act, { account, key: args.key, cost: costOf(args) }, posting(act, args));
    },
  });

/** Many at a time, each with the same key or all without one. */
export const burst = (args: CreateArgs & { readonly times: number }, faults: readonly Fault[]): Command =>
  command({
    name: 'burst',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const { key, times } = args;
      const cost = costOf(args);
      const stored = storedFor(act, account, key);
      const { byBalance, bySlots } = roomFor(act.model, account, cost);
      const requests = Array.from({ length: times }, () => posting(act, args));
      const responses = (await asking(act, account, requests)).filter((response) => !isLimited(response));
      const possible = Math.min(
        byBalance,
        bySlots,
        key === undefined ? responses.length : Math.min(1, responses.length),
      );
      const accepted = responses.filter(({ status }) => status === 202);
      const texts = new Set(accepted.map(({ text }) => text));
      if (stored) for (const response of accepted) ensureReplay(response, stored.text);
      const atMost = stored ? 0 : possible;
      if (key === undefined) ensure(texts.size <= atMost, 'no more is accepted than there is room for', responses);
      else ensure(texts.size <= 1, 'one key has one response', responses);
      if (!act.world.faults.disturbed) {
        const expected = key === undefined ? possible : stored || possible > 0 ? responses.length : 0;
        ensure(accepted.length === expected, 'every free slot is used', { expected, responses });
      }
      return { births: { account, cost, key, atMost }, exactly: atMost };
    },
  });

/** By its own account, or by another one, for which it does not exist. */
export const cancel = (args: { task: number; byStranger: boolean }, faults: readonly Fault[]): Command =>
  command({
    name: 'cancel',
    args,
    faults,
    async run(act): Promise<Permit> {
      const task = taskAt(act, args.task);
      const caller = act.model.accounts.find(({ accountId }) => (accountId === task.accountId) !== args.byStranger);
      if (!caller) throw new Error('there is no task to cancel');
      const { taskId } = task;
      const response = await askingOnce(act, caller, (token) =>
        act.world.host.call('cancelTask', { token, params: { taskId } }),
      );
      if (!response) return {};
      const accepted = isOpen(task) ? '200' : 'TASK_NOT_CANCELABLE';
      ensureResponse(act, response, args.byStranger ? 'NOT_FOUND' : accepted);
      if (args.byStranger || !isOpen(task)) return {};
      return { moves: new Map([[taskId, ['failed']]]), musts: new Map([[taskId, 'failed']]) };
    },
  });

/** Many requests in one moment, more than the limit admits or nearly so many. */
export const flood = (args: { account: number; requests: number }, faults: readonly Fault[]): Command =>
  command({
    name: 'flood',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const { world } = act;
      const account = accountAt(act, args.account);
      const { token, tokenId } = account.token;
      const free = roomIn(act.model.seen.tokens.get(tokenId)?.log, world.clock.now());
      const admit = async () => world.context.tokens.admit(tokenDigest(token), world.clock.now());
      const results = await Promise.allSettled(Array.from({ length: args.requests }, admit));
      const count = (status: string) =>
        results.filter((result) => result.status === 'fulfilled' && result.value.status === status).length;
      const unknown = args.requests - count('admitted') - count('limited');
      const countedTwice = world.faults.struckOn('UpdateItem', 'lost');
      ensure(unknown === 0 || world.faults.disturbed, 'a good token is admitted or limited', results);
      ensure(count('admitted') <= free, 'no more is admitted than there is room for', { free, results });
      const missing = Math.min(free, args.requests) - count('admitted');
      ensure(missing <= countedTwice + unknown, 'what there is room for is admitted', { free, results });
      act.asked.set(tokenId, { admitted: count('admitted'), unknown });
      return {};
    },
  });
