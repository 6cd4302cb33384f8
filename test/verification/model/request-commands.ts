/** Clients' commands: create, repeat and cancel. */
import type { TestResponse } from '../../support/test-service.ts';
import { ensure } from '../oracle/ensure.ts';
import { requestLetter } from '../oracle/invariants.ts';
import { type Act, accountAt, asking, askingFor, commandOf, nthOf, taskAt } from './command.ts';
import { isOpen, type ModelAccount, type Permit, roomFor, storedName } from './model.ts';

export interface CreateArgs {
  readonly account: number;
  /** The idempotency key, which is also the task's client reference. */
  readonly key?: string | undefined;
  readonly characters: number;
  readonly webhook: boolean;
  /** Whether the task is a video of four seconds instead of speech. */
  readonly isVideo?: boolean;
}

const charactersPerCredit = 50;

/** The price, typed by hand: four seconds at 480p. */
const videoCost = 16;

const costOf = ({ characters, isVideo }: CreateArgs): number =>
  isVideo ? videoCost : Math.ceil(characters / charactersPerCredit);

/** An idempotency key belongs to its operation. */
const keyOf = ({ key, isVideo }: CreateArgs): string | undefined => (key && isVideo ? `video ${key}` : key);

const operationOf = ({ isVideo }: CreateArgs) => (isVideo ? 'generateCreativeVideo' : 'generateVoice');

const bodyOf = ({ world }: Act, { characters, isVideo, webhook }: CreateArgs) => {
  const text = requestLetter.repeat(characters);
  return {
    ...(isVideo ? { prompt: text, durationSec: 4, resolution: '480p', aspectRatio: '1:1' } : { text, voice: 'sarah' }),
    ...(webhook && { callbackUrl: world.callbackUrl }),
  };
};

const posting = (act: Act, args: CreateArgs) => {
  const key = keyOf(args);
  const headers = { ...(key && { 'idempotency-key': key, 'x-client-reference': key }) };
  return (token: string): Promise<TestResponse> =>
    act.world.host.call(operationOf(args), { body: bodyOf(act, args), headers, token });
};

/** Sends a request as several items of one batch. */
const postingBatch = (act: Act, args: CreateArgs, times: number) => {
  const key = keyOf(args);
  const keys = { ...(key && { idempotencyKey: key, clientReference: key }) };
  const item = { operation: operationOf(args), body: bodyOf(act, args), ...keys };
  const body = { items: Array.from({ length: times }, () => item) };
  return (token: string): Promise<TestResponse> => act.world.host.call('generateBatch', { body, token });
};

/** The responses in a batch, in the form of single responses. */
function unbatched(response: TestResponse): readonly TestResponse[] {
  const { items } = (response.body.data ?? {}) as { readonly items?: readonly (TestResponse['body'] & TestResponse)[] };
  return (items ?? []).map(({ status, ...shown }) => {
    const body = { ...shown, success: status < 300 };
    return { ...response, status, body, text: JSON.stringify({ success: true, data: shown.data }) };
  });
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
  ensure(response.text === text, 'a repeated request gets the first response', { response, text });
  ensure(response.headers['idempotent-replayed'] === 'true', 'a repeated response says so', response.headers);
}

export const create = commandOf(
  'create',
  async (act, args: CreateArgs): Promise<Permit> => {
    const account = accountAt(act, args.account);
    const [key, cost] = [keyOf(args), costOf(args)];
    const stored = storedFor(act, account, key);
    const rejection = stored ? undefined : rejectionOf(roomFor(act.model, act.world, account, cost));
    const response = await askingFor(act, account, rejection ?? '202', posting(act, args));
    if (stored && response) ensureReplay(response, stored.text);
    if (stored) return { exactly: 0 };
    if (rejection) return { exactly: 0, debits: account };
    return { debits: account, births: { account, cost, key, atMost: 1 }, exactly: 1 };
  },
  { needsTask: false },
);

interface BurstArgs extends CreateArgs {
  readonly times: number;
  /** How many of the requests are sent in one batch. */
  readonly batched?: number;
}

/** Several requests at a time, each with the same key or all without one. */
export const burst = commandOf(
  'burst',
  async (act, args: BurstArgs): Promise<Permit> => {
    const account = accountAt(act, args.account);
    const { times, batched = 0 } = args;
    const [key, cost] = [keyOf(args), costOf(args)];
    const stored = storedFor(act, account, key);
    const { byBalance, bySlots } = roomFor(act.model, act.world, account, cost);
    const alone = Array.from({ length: times - batched }, () => posting(act, args));
    const requests = batched > 0 ? [...alone, postingBatch(act, args, batched)] : alone;
    const received = await asking(act, account, requests);
    const responses = [...received.slice(0, alone.length), ...received.slice(alone.length).flatMap(unbatched)];
    const possible = Math.min(byBalance, bySlots, key === undefined ? times : 1);
    const accepted = responses.filter(({ status }) => status === 202);
    const texts = new Set(accepted.map(({ text }) => text));
    if (stored) for (const response of accepted) ensureReplay(response, stored.text);
    const atMost = stored ? 0 : possible;
    if (key === undefined) ensure(texts.size <= atMost, 'no more is accepted than there is room for', responses);
    else ensure(texts.size <= 1, 'one key has one response', responses);
    if (!act.world.faults.disturbed) {
      const expected = key === undefined ? possible : stored || possible > 0 ? times : 0;
      ensure(accepted.length === expected, 'every free slot is used', { expected, responses });
    }
    return { ...(!stored && { debits: account }), births: { account, cost, key, atMost }, exactly: atMost };
  },
  { needsTask: false },
);

/** Cancels a task by its own account, or by another one or the other mode of its own, for which it does not exist. */
export const cancel = commandOf(
  'cancel',
  async (act, args: { readonly task: number; readonly byStranger: boolean }): Promise<Permit> => {
    const task = taskAt(act, args.task);
    const callers = act.model.accounts.filter(({ accountId }) => (accountId === task.accountId) !== args.byStranger);
    const caller = nthOf(callers, args.task);
    if (!caller) throw new Error('there is no task to cancel');
    const { taskId } = task;
    const ofOwner = isOpen(task) ? '200' : 'TASK_NOT_CANCELABLE';
    await askingFor(act, caller, args.byStranger || task.isDeleted ? 'NOT_FOUND' : ofOwner, (token) =>
      act.world.host.call('cancelTask', { token, params: { taskId } }),
    );
    if (args.byStranger || !isOpen(task)) return {};
    return { moves: new Map([[taskId, ['failed']]]), musts: new Map([[taskId, 'failed']]) };
  },
);

/** Deletes a task by its own account, or by another one; a request that failed half way can be repeated. */
export const remove = commandOf(
  'remove',
  async (act, args: { readonly task: number; readonly byStranger: boolean }): Promise<Permit> => {
    const { model, world } = act;
    const task = taskAt(act, args.task);
    const caller = model.accounts.find(({ accountId }) => (accountId === task.accountId) !== args.byStranger);
    if (!caller) throw new Error('there is no task to delete');
    const { taskId } = task;
    const isGone = model.seen.tasks.get(taskId)?.deletion?.erasedAt !== undefined;
    const response = await askingFor(act, caller, args.byStranger || isGone ? 'NOT_FOUND' : '200', (token) =>
      world.host.call('deleteTask', { token, params: { taskId } }),
    );
    if (args.byStranger) return {};
    const isErased = response?.status === 200;
    ensure(!isErased || (await world.filesOf(taskId)).length === 0, 'a deletion erases the files', taskId);
    return { deletes: taskId, ...(isOpen(task) && { musts: new Map([[taskId, 'failed']]) }) };
  },
);
