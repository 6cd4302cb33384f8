/** The property that the model's runs test: whatever is commanded, every promise holds, and in the end all is settled. */
import * as fc from 'fast-check';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { deliver, sweep, wait } from './background-commands.ts';
import type { Command } from './command.ts';
import { drain } from './drain.ts';
import { type Fault, faultyOperations } from './faults.ts';
import { newModel } from './model.ts';
import { race, raceArgs } from './race-command.ts';
import { burst, cancel, create, grant, revoke } from './request-commands.ts';
import { engineMoods, finalize, outcomes, report, reports, settle, step } from './workflow-commands.ts';
import { type Bench, startWorld } from './world.ts';

const small = fc.nat({ max: 30 });
const flag = fc.boolean();
const rarely = fc.nat({ max: 9 }).map((roll) => roll === 9);
const account = fc.nat({ max: 1 });
const progress = fc.nat({ max: 100 });

const createArgs = fc.record({
  account,
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
  characters: fc.constantFrom(1, 50, 51, 100, 101, 600),
  voice: fc.constantFrom('sarah', 'bill'),
  webhook: flag,
});

const fault: fc.Arbitrary<Fault> = fc.record({
  on: fc.constantFrom(...faultyOperations, 'TransactWriteItems', 'UpdateItem'),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('lost', 'refused', 'conflict') },
    // Waiting for these is what makes a run slow.
    { weight: 1, arbitrary: fc.constantFrom('throttled', 'late') },
  ),
  skip: fc.constantFrom(0, 0, 0, 1, 2),
  times: fc.constantFrom(1, 2, 3, 3, 6),
});

const commandsUnder = (faults: fc.Arbitrary<readonly Fault[]>): fc.Arbitrary<Command>[] => {
  const acting = <Args>(args: fc.Arbitrary<Args>, make: (args: Args, faults: readonly Fault[]) => Command) =>
    fc.tuple(args, faults).map(([some, planned]) => make(some, planned));
  const creating = acting(createArgs, create);
  const stepArgs = fc.record({
    execution: small,
    steps: fc.integer({ min: 1, max: 3 }),
    mood: fc.constantFrom(...engineMoods),
    progress,
    notified: rarely.map((lost) => !lost),
  });
  const delivering = acting(
    fc.record({
      message: small,
      answer: fc.constantFrom<(number | 'hang up')[]>(204, 200, 500, 500, 302, 'hang up'),
      again: flag,
    }),
    deliver,
  );
  const stepping = acting(stepArgs, step);
  const racing = raceArgs.map(race);
  const burstArgs = fc
    .tuple(createArgs, fc.integer({ min: 2, max: 8 }))
    .map(([args, times]) => ({ ...args, characters: 1, times }));
  return [
    creating,
    creating,
    creating,
    stepping,
    stepping,
    stepping,
    delivering,
    delivering,
    racing,
    racing,
    racing,
    racing,
    acting(burstArgs, burst),
    acting(fc.record({ task: small, byStranger: rarely }), cancel),
    acting(fc.record({ task: small, report: fc.constantFrom(...reports), progress, forged: rarely }), report),
    acting(fc.record({ task: small, outcome: fc.constantFrom(...(Object.keys(outcomes) as ['done'])) }), finalize),
    acting(fc.record({ task: small }), settle),
    acting(fc.record({ everything: flag }), sweep),
    acting(fc.record({ account, amount: fc.integer({ min: -15, max: 40 }) }), grant),
    acting(fc.record({ account }), revoke),
    fc.constantFrom(1, 5, 31, 31, 61, 61, 660, 90_000).map((seconds) => wait({ seconds })),
  ];
};

const begunArgs = { account: 0, characters: 1, voice: 'bill', webhook: false } as const;

const noFaults: fc.Arbitrary<readonly Fault[]> = fc.constant([]);
const someFaults: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 1, arbitrary: noFaults },
  { weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
);

export interface ModelOptions {
  readonly withFaults: boolean;
  readonly maxCommands: number;
  readonly mutate?: (table: Table) => Table;
}

export function modelProperty(bench: Bench, { withFaults, maxCommands, mutate }: ModelOptions) {
  const commands = fc.commands(commandsUnder(withFaults ? someFaults : noFaults), { maxCommands, size: 'max' });
  const circumstances = fc.record({
    engineReports: fc.constantFrom('callback', 'asking'),
    credits: fc.constantFrom([30, 5], [400, 400]),
    receiverAnswers: fc.constantFrom(204, 503),
    // Some runs begin with an account that has hardly a slot left.
    begun: fc.constantFrom(0, 0, 0, 18),
  });
  return fc.asyncProperty(
    circumstances,
    commands,
    async ({ begun, credits, engineReports, receiverAnswers }, sequence) => {
      const world = await startWorld(bench, { engineReports, ...(mutate && { mutate }) });
      const model = await newModel(world, credits);
      if (begun > 0) await burst({ ...begunArgs, times: begun }, []).run(model, world);
      await fc.asyncModelRun(() => ({ model, real: world }), sequence);
      await drain(model, world, receiverAnswers);
    },
  );
}
