/**
 * The property of the model: every sequence of commands maintains every invariant, and in the end everything is
 * settled.
 */
import * as fc from 'fast-check';
import { type Bench, startWorld } from '../world/world.ts';
import { deliver, sweep, wait } from './background-commands.ts';
import type { Command } from './command.ts';
import { drain } from './drain.ts';
import { newModel } from './model.ts';
import { grant, redeliver } from './operator-commands.ts';
import { actingUnder, copying, noFaults, type Plan, someFaults } from './planned-faults.ts';
import { race, raceArgs } from './race-command.ts';
import { burst, cancel, create, remove } from './request-commands.ts';
import { engineMoods, finalize, outcomes, report, reports, settle, step } from './workflow-commands.ts';

const small = fc.nat({ max: 30 });
const flag = fc.boolean();
const rarely = fc.nat({ max: 9 }).map((roll) => roll === 9);
const account = fc.nat({ max: 2 });
const progress = fc.nat({ max: 100 });

const createArgs = fc.record({
  account,
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
  characters: fc.constantFrom(1, 50, 51, 100, 101, 600),
  webhook: flag,
  isVideo: flag,
});

const commandsUnder = (plan: Plan): fc.Arbitrary<Command>[] => {
  const acting = actingUnder(plan);
  const creating = acting(createArgs, create);
  const stepArgs = fc.record({
    execution: small,
    steps: fc.constantFrom(1, 1, 2, 3),
    mood: fc.constantFrom('accepts', 'accepts', 'works', 'is done', ...engineMoods),
    progress,
  });
  const delivering = acting(
    fc.record({
      message: small,
      response: fc.constantFrom<(number | 'hang up')[]>(204, 200, 500, 500, 302, 'hang up'),
      again: flag,
    }),
    deliver,
  );
  const stepping = acting(stepArgs, step, copying);
  const racing = raceArgs.map(race);
  const finalizeArgs = fc.record({
    task: small,
    outcome: fc.constantFrom('done', 'done', ...(Object.keys(outcomes) as ['done'])),
    ofAny: rarely,
  });
  const burstArgs = fc
    .tuple(createArgs, fc.integer({ min: 2, max: 8 }), fc.nat({ max: 8 }))
    .map(([args, times, batched]) => ({ ...args, characters: 1, times, batched: Math.min(times, batched) }));
  const waiting = fc.constantFrom(0.4, 1, 5, 28.7, 31, 31, 61, 61, 660, 90_000).map((seconds) => wait({ seconds }));
  return [
    creating,
    creating,
    creating,
    stepping,
    stepping,
    stepping,
    delivering,
    delivering,
    delivering,
    delivering,
    racing,
    racing,
    racing,
    racing,
    acting(burstArgs, burst),
    acting(fc.record({ task: small, byStranger: rarely }), cancel),
    acting(fc.record({ task: small, byStranger: rarely }), remove),
    acting(fc.record({ task: small, report: fc.constantFrom(...reports), progress, forged: rarely }), report),
    acting(finalizeArgs, finalize, copying),
    acting(fc.record({ task: small }), settle),
    acting(fc.record({ everything: flag }), sweep),
    acting(fc.record({ account, amount: fc.integer({ min: -15, max: 40 }) }), grant),
    acting(fc.record({ task: small }), redeliver),
    waiting,
    waiting,
  ];
};

const begunArgs = { account: 0, characters: 1, webhook: false } as const;

export interface ModelOptions {
  readonly withFaults: boolean;
  readonly maxCommands: number;
}

export function modelProperty(bench: Bench, { withFaults, maxCommands }: ModelOptions) {
  const commands = fc.commands(commandsUnder(withFaults ? someFaults : noFaults), { maxCommands, size: 'max' });
  const circumstances = fc.record({
    engineCompletion: fc.constantFrom('callback', 'polling'),
    credits: fc.constantFrom([30, 5], [400, 400]),
    receiverResponses: fc.record({ first: fc.constantFrom(204, 503), second: fc.constantFrom(204, 503) }),
    // In some runs, an account starts with almost no free slots.
    begun: fc.constantFrom(0, 0, 0, 18),
  });
  return fc.asyncProperty(
    circumstances,
    commands,
    async ({ begun, credits, engineCompletion, receiverResponses }, sequence) => {
      const world = await startWorld(bench, { engineCompletion });
      const model = await newModel(world, credits);
      if (begun > 0) await burst({ ...begunArgs, times: begun }).run(model, world);
      await fc.asyncModelRun(() => ({ model, real: world }), sequence);
      await drain(model, world, receiverResponses);
    },
  );
}
