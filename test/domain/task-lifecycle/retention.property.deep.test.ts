/**
 * At every time, exactly those texts and results of an account's tasks are stored that are to be, whatever is created,
 * ended, delivered, deleted and changed in between, and wherever sweeps die.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Retention } from '../../../shared/domain/retention.ts';
import { overdueMs, type Task } from '../../../shared/domain/tasks/task.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import { tableInTests } from '../../support/test-table.ts';
import { openWorld, type World } from './retention-world.ts';

const host = await tableInTests();

/** What the model knows about a task. */
interface Known {
  readonly task: Task;
  readonly retention: Retention;
  ended?: 'completed' | 'failed';
  webhook: 'none' | 'pending' | 'settled';
  isDeleted: boolean;
  resultsErased: boolean;
  inputsErased: boolean;
}

const days = fc.option(fc.constantFrom(1, 2, 30, 90), { nil: undefined });
const retention: fc.Arbitrary<Retention> = fc
  .record({ resultsDays: days, inputsDays: days })
  .map(({ resultsDays, inputsDays }) => ({
    ...(resultsDays !== undefined && { resultsDays }),
    ...(inputsDays !== undefined && { inputsDays }),
  }));
const which = fc.nat({ max: 20 });
const step = fc.oneof(
  fc.record({ does: fc.constant('keep' as const), retention }),
  fc.record({
    does: fc.constant('create' as const),
    hasWebhook: fc.boolean(),
    becomes: fc.constantFrom('open' as const, 'ended' as const, 'delivered' as const),
    during: fc.option(retention),
  }),
  fc.record({
    does: fc.constant('end' as const),
    which,
    status: fc.constantFrom('completed' as const, 'failed' as const),
  }),
  fc.record({ does: fc.constantFrom('settle' as const, 'redeliver' as const, 'delete' as const), which }),
  fc.record({
    does: fc.constant('pass' as const),
    milliseconds: fc.constantFrom(dayMs / 2, dayMs - 1, dayMs, 2 * dayMs, 28 * dayMs, 60 * dayMs),
    dying: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const seen = {
  resultsErased: 0,
  inputsErased: 0,
  bothErased: 0,
  busy: 0,
  deleted: 0,
  raced: 0,
  overdue: 0,
  redeliveredLate: 0,
};

const isDue = ({ task, ended, webhook, isDeleted }: Known, period: number | undefined, now: number): boolean =>
  ended !== undefined && webhook !== 'pending' && !isDeleted && now >= task.createdAt + (period ?? Infinity) * dayMs;

function sweepModel(known: readonly Known[], now: number): void {
  for (const one of known) {
    if (one.ended === undefined && now >= one.task.deadlineAt + overdueMs) {
      one.ended = 'failed';
      seen.overdue += 1;
    }
    const { resultsDays, inputsDays } = one.retention;
    if (one.webhook === 'pending' && isDue({ ...one, webhook: 'settled' }, inputsDays, now)) seen.busy += 1;
    one.resultsErased ||= isDue(one, resultsDays, now);
    one.inputsErased ||= isDue(one, inputsDays, now);
  }
}

async function compare(at: World, known: readonly Known[]): Promise<void> {
  const indexed = await at.indexed();
  for (const one of known) {
    const { ended, inputsErased, isDeleted, resultsErased, task, webhook } = one;
    if (isDeleted || inputsErased) await at.reportLate(task);
    const stored = await at.stored(task);
    const hasTexts = isDeleted ? webhook === 'pending' : !inputsErased;
    expect(stored).toMatchObject({
      hasTexts,
      isFoundByText: !isDeleted && !inputsErased,
      results: ended === 'completed' && !isDeleted && !resultsErased ? 2 : 0,
      inputs: isDeleted || inputsErased || resultsErased ? 0 : 1,
      task: { cost: task.cost, createdAt: task.createdAt, taskType: task.taskType, status: ended ?? 'pending' },
    });
    if (isDeleted) continue;
    expect(stored.task?.input).toEqual(inputsErased ? { likenessConsent: true } : task.input);
    const { resultsDays = Infinity, inputsDays = Infinity } = one.retention;
    const awaits = (!resultsErased && resultsDays < Infinity) || (!inputsErased && inputsDays < Infinity);
    expect(indexed.has(task.taskId)).toBe(ended === undefined || webhook === 'pending' || awaits);
  }
}

async function take(at: World, known: Known[], kept: Retention, made: Step): Promise<Retention> {
  if (made.does === 'keep') {
    await at.keep(made.retention);
    return made.retention;
  }
  if (made.does === 'pass') {
    at.pass(made.milliseconds);
    for (const writes of made.dying) await at.sweep(writes);
    await at.sweep();
    sweepModel(known, at.now());
    await compare(at, known);
    return kept;
  }
  if (made.does === 'create') {
    const [task] = await Promise.all([at.create(made), made.during && at.keep(made.during)]);
    const possible = made.during ? [kept, made.during] : [kept];
    expect(possible).toContainEqual(task.retention ?? {});
    if (made.during) seen.raced += 1;
    known.push({
      task,
      retention: task.retention ?? {},
      webhook: made.hasWebhook ? 'pending' : 'none',
      isDeleted: false,
      resultsErased: false,
      inputsErased: false,
    });
    if (made.becomes !== 'open')
      await take(at, known, kept, { does: 'end', which: known.length - 1, status: 'completed' });
    if (made.becomes === 'delivered') await take(at, known, kept, { does: 'settle', which: known.length - 1 });
    return made.during ?? kept;
  }
  const one = known.at(made.which % Math.max(1, known.length));
  if (!one || one.isDeleted) return kept;
  if (made.does === 'end' && one.ended === undefined) {
    await at.end(one.task, made.status);
    one.ended = made.status;
  } else if (made.does === 'settle' && one.ended && one.webhook === 'pending') {
    await at.settle(one.task);
    one.webhook = 'settled';
  } else if (made.does === 'redeliver' && one.ended && one.webhook === 'settled') {
    await at.redeliver(one.task);
    if (one.inputsErased) seen.redeliveredLate += 1;
    else one.webhook = 'pending';
  } else if (made.does === 'delete') {
    await at.delete(one.task);
    one.ended ??= 'failed';
    one.isDeleted = true;
    seen.deleted += 1;
  }
  return kept;
}

/** A webhook that is to be sent again after the address was erased, which random plans rarely reach. */
const redeliveredLate: Step[] = [
  { does: 'create', hasWebhook: true, becomes: 'delivered', during: null },
  { does: 'pass', milliseconds: 2 * dayMs, dying: [0] },
  { does: 'redeliver', which: 0 },
];

test('texts and results are there until their time is over and not longer, and credits are as they were', async () => {
  await fc.assert(
    fc.asyncProperty(retention, fc.array(step, { minLength: 8, maxLength: 24 }), async (first, plan) => {
      const at = await openWorld(host.table);
      const known: Known[] = [];
      let kept: Retention = first;
      await at.keep(first);
      for (const made of plan) kept = await take(at, known, kept, made);
      kept = await take(at, known, kept, { does: 'pass', milliseconds: dayMs, dying: [1] });
      for (const { inputsErased, resultsErased } of known) {
        seen.resultsErased += resultsErased ? 1 : 0;
        seen.inputsErased += inputsErased ? 1 : 0;
        seen.bothErased += resultsErased && inputsErased ? 1 : 0;
      }
      const paid = known.filter(({ ended }) => ended !== 'failed').reduce((sum, { task }) => sum + task.cost, 0);
      expect(await at.audit()).toMatchObject({ spent: paid, credits: 0, slots: [], figures: [] });
    }),
    { numRuns: 25, examples: [[{ inputsDays: 1 }, redeliveredLate]] },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});
