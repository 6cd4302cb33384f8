/** What clients and operators do: create, repeat, cancel, revoke, and move credits. */
import type { Answer } from '../support/test-service.ts';
import { type Act, type Command, command, nthOf, taskAt } from './command.ts';
import type { Fault } from './faults.ts';
import { hold } from './invariants.ts';
import { balanceOf, isOpen, keptName, type ModelAccount, type Permit, roomFor } from './model.ts';
import { type BearerToken, noted } from './world.ts';

export interface CreateArgs {
  readonly account: number;
  readonly key?: string | undefined;
  readonly characters: number;
  readonly voice: 'sarah' | 'bill';
  readonly webhook: boolean;
}

const charactersPerCredit = 50;
const costOf = ({ characters }: CreateArgs): number => Math.ceil(characters / charactersPerCredit);

function accountAt({ model }: Act, nth: number): ModelAccount {
  const account = nthOf(model.accounts, nth);
  if (!account) throw new Error('the model has no account');
  return account;
}

const codeOf = ({ status, body }: Answer): string => body.error?.code ?? String(status);

/** An internal error is an answer only to a fault that was more than the service gets over. */
function holdAnswer({ world }: Act, answer: Answer, expected: string): void {
  const excused = world.faults.disturbed && answer.status === 500;
  noted(world.tally.events, `answer ${codeOf(answer)}`);
  hold(excused || codeOf(answer) === expected, 'a request is answered as the model says', { expected, answer });
}

function post({ world }: Act, { token }: BearerToken, args: CreateArgs): Promise<Answer> {
  const { key, characters, voice, webhook } = args;
  const callback = webhook && { callbackUrl: world.callbackUrl };
  return world.host.call('generateVoice', {
    token,
    body: { text: 'a'.repeat(characters), voice, ...callback },
    headers: { ...(key && { 'idempotency-key': key, 'x-client-reference': key }) },
  });
}

/** The answer that a key stands for now. */
const keptFor = ({ model, world }: Act, account: ModelAccount, key: string | undefined) => {
  const kept = key === undefined ? undefined : model.kept.get(keptName(account, key));
  return kept && kept.validUntil > world.clock.now() ? kept : undefined;
};

function refusalOf({ byBalance, bySlots }: ReturnType<typeof roomFor>): string | undefined {
  if (byBalance < 1) return 'INSUFFICIENT_CREDITS';
  return bySlots < 1 ? 'MAX_CONCURRENT_TASKS' : undefined;
}

function holdReplay(answer: Answer, text: string): void {
  if (answer.status !== 202) return;
  hold(answer.text === text, 'a repeated request gets the first answer', { answer, text });
  hold(answer.headers['idempotent-replayed'] === 'true', 'a repeated answer says so', answer.headers);
}

export const create = (args: CreateArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'create',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const { key, voice } = args;
      const cost = costOf(args);
      const kept = keptFor(act, account, key);
      const refusal = kept ? undefined : refusalOf(roomFor(act.model, account, cost));
      account.uses += 1;
      const answer = await post(act, account.token, args);
      holdAnswer(act, answer, refusal ?? '202');
      if (kept) holdReplay(answer, kept.text);
      if (kept || refusal) return { exactly: 0 };
      return { births: { account, cost, key, voice, atMost: 1 }, exactly: 1 };
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
      const { key, times, voice } = args;
      const cost = costOf(args);
      const kept = keptFor(act, account, key);
      const { byBalance, bySlots } = roomFor(act.model, account, cost);
      const possible = Math.min(byBalance, bySlots, key === undefined ? times : 1);
      // All of the requests count against a token that no other command uses.
      account.uses = Number.POSITIVE_INFINITY;
      const answers = await Promise.all(Array.from({ length: times }, () => post(act, account.spare, args)));
      const accepted = answers.filter(({ status }) => status === 202);
      const texts = new Set(accepted.map(({ text }) => text));
      for (const answer of answers) noted(act.world.tally.events, `answer ${codeOf(answer)}`);
      if (kept) for (const answer of accepted) holdReplay(answer, kept.text);
      const atMost = kept ? 0 : possible;
      if (key === undefined) hold(texts.size <= atMost, 'no more is accepted than there is room for', answers);
      else hold(texts.size <= 1, 'one key has one answer', answers);
      if (!act.world.faults.disturbed) {
        const expected = key === undefined ? possible : kept || possible > 0 ? times : 0;
        hold(accepted.length === expected, 'as much is accepted as there is room for', { expected, answers });
      }
      return { births: { account, cost, key, voice, atMost }, exactly: atMost };
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
      if (!caller) throw new Error('there is nobody to cancel');
      caller.uses += 1;
      const answer = await act.world.host.call('cancelTask', {
        token: caller.token.token,
        params: { taskId: task.taskId },
      });
      const accepted = isOpen(task) ? '200' : 'TASK_NOT_CANCELABLE';
      holdAnswer(act, answer, args.byStranger ? 'NOT_FOUND' : accepted);
      if (args.byStranger || !isOpen(task)) return {};
      return { moves: new Map([[task.taskId, ['failed']]]), musts: new Map([[task.taskId, 'failed']]) };
    },
  });

/** The account's token, which from then on nobody is. */
export const revoke = (args: { account: number }, faults: readonly Fault[]): Command =>
  command({
    name: 'revoke',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const { world } = act;
      const account = accountAt(act, args.account);
      const { token, tokenId } = account.token;
      await world.context.tokens.revoke(account.accountId, tokenId, world.clock.now()).catch((error: unknown) => {
        if (!world.faults.disturbed) throw error;
      });
      const { revokedTokens } = await world.snapshot();
      hold(world.faults.disturbed || revokedTokens.has(tokenId), 'a revoked token is revoked', tokenId);
      const answer = await world.host.call('getProfile', { token });
      holdAnswer(act, answer, revokedTokens.has(tokenId) ? 'UNAUTHORIZED' : '200');
      account.uses = Number.POSITIVE_INFINITY;
      return {};
    },
  });

/** Credits that come in, or are taken back. */
export const grant = (args: { account: number; amount: number }, faults: readonly Fault[]): Command =>
  command({
    name: 'grant',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const { world } = act;
      const { context, faults } = world;
      const account = accountAt(act, args.account);
      const { accountId } = account;
      const { amount } = args;
      const id = context.ids.next();
      const row = { id, accountId, amount, reason: 'adjustment', at: context.clock.now() } as const;
      const result = await context.accounts.post(row).catch((error: unknown) => {
        if (!faults.disturbed) throw error;
        return 'unknown' as const;
      });
      const expected = balanceOf(act.model, account) + amount >= 0 ? 'posted' : 'insufficient';
      hold(result === 'unknown' || result === expected, 'credits move as the model says', { result, expected });
      const posted = (await world.snapshot()).ledger.some((one) => one.id === id);
      hold(result === 'unknown' || posted === (result === 'posted'), 'what moved is in the ledger', row);
      if (posted) account.granted += amount;
      return {};
    },
  });
