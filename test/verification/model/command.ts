/** A command of the model: an action under planned faults, and the changes that the action may make. */
import type * as fc from 'fast-check';
import type { TestResponse } from '../../support/test-service.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { ensure } from '../oracle/ensure.ts';
import { countEvent, type World } from '../world/world.ts';
import { agree, type Model, type ModelAccount, type ModelTask, type Permit } from './model.ts';

export type Command = fc.AsyncCommand<Model, World>;

/** The objects that a command acts on. */
export interface Act {
  readonly model: Model;
  readonly world: World;
}

/**
 * After how many requests a token is replaced. The requests of one command, and those counted twice because a response
 * was lost, must still be within the rate limit of a token.
 */
const requestsPerToken = 30;

/** Gives every account a token that still has requests left; no fault can strike this. */
async function supplyTokens({ model, world }: Act): Promise<void> {
  for (const account of model.accounts) {
    if (account.requests > requestsPerToken)
      Object.assign(account, { token: await world.newToken(account.accountId), requests: 0 });
  }
}

function count({ tally, faults }: World): void {
  tally.steps += 1;
  for (const [fault, times] of faults.struck) if (times > 0) countEvent(tally.faults, fault, times);
}

/** Generates commands with one name. Without tasks, most commands have nothing to act on. */
export const commandOf =
  <Args extends object>(
    name: string,
    run: (act: Act, args: Args) => Promise<Permit>,
    { needsTask = true }: { readonly needsTask?: boolean } = {},
  ) =>
  (args: Args, faults: readonly Fault[] = []): Command => ({
    check: (model) => !needsTask || model.tasks.size > 0,
    async run(model, world) {
      const act: Act = { model, world };
      await supplyTokens(act);
      world.faults.plan(faults);
      const permit = await run(act, args);
      const strict = !world.faults.disturbed;
      count(world);
      world.faults.plan([]);
      await agree(model, world, permit, strict);
    },
    toString: () => `${name}(${JSON.stringify({ ...args, ...(faults.length > 0 && { faults }) })})`,
  });

/** Picks an element of a list by any number, modulo the length of the list. */
export const nthOf = <Value>(values: readonly Value[], nth: number): Value | undefined => values[nth % values.length];

export function taskAt({ model }: Act, nth: number): ModelTask {
  const task = nthOf([...model.tasks.values()], nth);
  if (!task) throw new Error('the model has no task');
  return task;
}

export function accountAt({ model }: Act, nth: number): ModelAccount {
  const account = nthOf(model.accounts, nth);
  if (!account) throw new Error('the model has no account');
  return account;
}

/** Calls a function that may fail only if it was struck by more faults than the service can handle. */
export async function invoked<Result>({ world }: Act, name: string, event: object): Promise<Result | undefined> {
  try {
    return (await world.invoke(name, event)) as Result;
  } catch (error) {
    if (!world.faults.disturbed) throw error;
    return undefined;
  }
}

const codeOf = ({ status, body }: TestResponse): string => body.error?.code ?? String(status);

/** Sends several requests with an account's token concurrently. */
export async function asking(
  { world }: Act,
  account: ModelAccount,
  requests: readonly ((token: string) => Promise<TestResponse>)[],
): Promise<TestResponse[]> {
  account.requests += requests.length;
  const responses = await Promise.all(requests.map((request) => request(account.token)));
  for (const response of responses) countEvent(world.tally.events, `response ${codeOf(response)}`);
  return responses;
}

/** Sends one request. An internal error is allowed only after a fault that outlasts all retries. */
export async function askingFor(
  act: Act,
  account: ModelAccount,
  expected: string,
  request: (token: string) => Promise<TestResponse>,
): Promise<TestResponse | undefined> {
  const [response] = await asking(act, account, [request]);
  if (response && act.world.faults.disturbed && response.status >= 500) return undefined;
  const isExpected = response !== undefined && codeOf(response) === expected;
  ensure(isExpected, 'a request gets the response that the model predicts', { expected, response });
  return response;
}
