/** A command of the model: an action under planned faults, and what it may change. */
import type * as fc from 'fast-check';
import type { Fault } from '../faults/fault-plan.ts';
import { countEvent, type World } from '../world/world.ts';
import { type Asked, agree, type Model, type ModelTask, type Permit } from './model.ts';

export type Command = fc.AsyncCommand<Model, World>;

/** What a command is given: where it acts, and whether faults are to be reckoned with once it has acted. */
export interface Act {
  readonly model: Model;
  readonly world: World;
  /** By token, what was asked with it so far. */
  readonly asked: Map<string, Asked>;
}

interface Definition<Args> {
  readonly name: string;
  readonly args: Args;
  readonly faults: readonly Fault[];
  /** Without tasks there is nothing to act on; by default a command needs one. */
  readonly needsTask?: boolean;
  run(act: Act): Promise<Permit>;
}

/** A client that was rejected so often by its limit uses another token. */
const patience = 3;

/** Gives every account a token that is of use, before anything goes wrong. */
async function supplyTokens({ model, world }: Act): Promise<void> {
  for (const account of model.accounts) {
    if (!account.revoked && account.rejections < patience) continue;
    const spare = await world.newToken(account.accountId);
    Object.assign(account, { token: account.spare, revoked: false, rejections: 0, spare });
  }
}

function count({ tally, faults }: World): void {
  tally.steps += 1;
  for (const [fault, times] of faults.struck) if (times > 0) countEvent(tally.faults, fault, times);
}

export function command<Args extends object>(definition: Definition<Args>): Command {
  const { name, args, faults, needsTask = true } = definition;
  return {
    check: (model) => !needsTask || model.tasks.size > 0,
    async run(model, world) {
      const act: Act = { model, world, asked: new Map() };
      await supplyTokens(act);
      world.faults.plan(faults);
      const permit = await definition.run(act);
      const strict = !world.faults.disturbed;
      const countedTwice = world.faults.struckOn('UpdateItem', 'lost');
      count(world);
      world.faults.plan([]);
      await agree(model, world, permit, { strict, asked: act.asked, countedTwice });
    },
    toString: () => `${name}(${JSON.stringify({ ...args, ...(faults.length > 0 && { faults }) })})`,
  };
}

/** One of some, by a number that knows nothing of how many there are. */
export const nthOf = <Value>(values: readonly Value[], nth: number): Value | undefined => values[nth % values.length];

export function taskAt({ model }: Act, nth: number): ModelTask {
  const task = nthOf([...model.tasks.values()], nth);
  if (!task) throw new Error('the model has no task');
  return task;
}

/** Calls a function that may fail when a fault was more than it gets over, and only then. */
export async function invoked<Result>({ world }: Act, name: string, event: object): Promise<Result | undefined> {
  try {
    return (await world.invoke(name, event)) as Result;
  } catch (error) {
    if (!world.faults.disturbed) throw error;
    return undefined;
  }
}
