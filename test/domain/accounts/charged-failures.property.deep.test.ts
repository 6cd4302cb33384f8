/**
 * Tasks that failed by the account's own fault, and for which their engine charges, are counted once each. Once they
 * have used the allowance of the day up, the account can create no task whose engine charges until midnight, so there
 * are never more of them than the allowance and what is open by then.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EnginePrice } from '../../../shared/catalog/engine-price.ts';
import {
  chargedFailuresPerDay,
  paidCreditsPerRefunded,
  refundedCreditsPerDay,
  simultaneousTasks,
} from '../../../shared/contracts/limits.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { dayMs, midnightBefore } from '../../../shared/platform/clock.ts';
import { tableInTests } from '../../support/test-table.ts';
import {
  type Ending,
  firstDay,
  type How,
  isByFile,
  type Memory,
  type Outcome,
  openWorld,
  cost as price,
} from './long-results-world.ts';

const host = await tableInTests();

const priceOf = (micros: number): EnginePrice => ({ per: 'job', micros, charged: ['rejected'] });

interface Planned {
  /** Faults of the engine count if the price depends on a file. */
  readonly taskType: TaskType;
  /** What the engine charges for a task according to the catalog, and for this one. */
  readonly micros: number;
  readonly cost: number;
  /** The concurrent processes that end the task; it stays open if there are none. */
  readonly endings: readonly Ending[];
}

interface Step {
  readonly later: number;
  readonly isLifted: boolean;
  readonly tasks: readonly Planned[];
}

const ending: fc.Arbitrary<Ending> = fc.record({
  how: fc.constantFrom<How>('rejected', 'rejected', 'unusable', 'invalid', 'failed', 'internal', 'completed'),
  outcomes: fc.array(fc.constantFrom<Outcome>('dies before', 'dies after'), { maxLength: 2 }),
});
const task: fc.Arbitrary<Planned> = fc.record({
  taskType: fc.constantFrom<TaskType>('voice', 'voice', 'voice-change'),
  micros: fc.constantFrom(0, 70_000, 70_000, 70_000),
  cost: fc.constantFrom(0, 70_000, 70_000, 70_000),
  endings: fc.array(ending, { maxLength: 3 }),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    later: fc.constantFrom(0, 0, 0, 0, 1, dayMs),
    isLifted: fc.nat({ max: 9 }).map((number) => number === 0),
    tasks: fc.array(task, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 2, maxLength: 6 },
);

const after = (count: number, { credits = count * price, paid = 0 } = {}): Memory => ({
  long: [],
  cancels: undefined,
  chargedFailures: { day: firstDay, count, credits },
  paid: { day: firstDay, credits: paid },
});
/** With two more tasks, the account pays for one charged failure beyond the allowance. */
const afterMany = after(chargedFailuresPerDay, {
  paid: (chargedFailuresPerDay + 1) * price * paidCreditsPerRefunded + paidCreditsPerRefunded - 2 * price,
});
/** One more uses the allowance up, because few tasks cost much. */
const afterDear = after(2, { credits: refundedCreditsPerDay - price });

const rejected: Planned = {
  taskType: 'voice',
  micros: 70_000,
  cost: 70_000,
  endings: [{ how: 'rejected', outcomes: [] }],
};

/** Of many tasks that are paid for, one more than the allowance may fail. */
const oneBeyond: Step[] = [
  { later: 0, isLifted: false, tasks: [rejected, { ...rejected, endings: [] }, { ...rejected, endings: [] }] },
];

/** The allowance is used up, and the limit lifted afterwards. */
const liftedAfterwards: Step[] = [
  { later: 0, isLifted: false, tasks: [rejected, rejected, rejected] },
  { later: 0, isLifted: true, tasks: [rejected] },
];

/** A dear failure bars the account from paid engines, not from free ones, until the next day. */
const dearThenBarred: Step[] = [
  { later: 0, isLifted: false, tasks: [rejected] },
  { later: 0, isLifted: false, tasks: [rejected, { ...rejected, micros: 0, cost: 0 }] },
  { later: dayMs, isLifted: false, tasks: [rejected] },
];

const seen = { counted: 0, uncounted: 0, barred: 0, freeWhileBarred: 0, beyond: 0, dear: 0, later: 0, lifted: 0 };

const counts = (made: Task, cost: number) =>
  cost > 0 &&
  made.status === 'failed' &&
  (/^(rejected|invalid|unusable)\./.test(made.errorMessage ?? '') ||
    (isByFile(made.taskType) && /^(failed|internal)\./.test(made.errorMessage ?? '')));

test('failures by an account’s own fault at an engine that charges count once each, and bar it for the day', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(after(0), after(chargedFailuresPerDay - 2), afterMany, afterDear),
      steps,
      async (start, plan) => {
        const at = await openWorld(host.table, start);
        let count = start.chargedFailures?.count ?? 0;
        let credits = start.chargedFailures?.credits ?? 0;
        let paid = start.paid.credits;
        let isBarred = false;
        let day = firstDay;
        let open = 0;
        for (const { later, isLifted, tasks } of plan) {
          const now = at.pass(later);
          if (midnightBefore(now) > day) {
            if (isBarred) seen.later += 1;
            [count, credits, paid, isBarred, day] = [0, 0, 0, false, midnightBefore(now)];
          }
          if (isLifted) {
            await at.lift();
            if (isBarred) seen.lifted += 1;
            [count, credits, isBarred] = [0, 0, false];
          }
          const asked = await Promise.all(
            tasks.map(async (one) => ({
              ...one,
              ...(await at.create(one.taskType, {
                enginePrices: { make: priceOf(one.micros) },
                ...(isByFile(one.taskType) && { input: { audioUrl: 'https://shop.example.com/a.mp3' } }),
              })),
            })),
          );
          const made = asked.filter(({ outcome }) => outcome.status === 'made');
          const slots = simultaneousTasks - open;
          const allowed = asked.filter(({ micros }) => !isBarred || micros === 0);
          expect(made).toHaveLength(Math.min(slots, allowed.length));
          for (const { micros, outcome } of asked) {
            if (outcome.status === 'short' && outcome.shortage === 'charged-failures') {
              expect([isBarred, micros > 0]).toEqual([true, true]);
              seen.barred += 1;
            } else if (isBarred) seen.freeWhileBarred += 1;
          }
          const paidBefore = paid + made.length * price;
          await Promise.all(made.map(({ made: one, cost }) => at.charge(one, cost)));
          await Promise.all(made.flatMap(({ made: one, endings }) => endings.map((how) => at.end(one, how))));
          const found = await Promise.all(
            made.map(async ({ made: one, cost }) => ({ cost, ended: await at.find(one.taskId) })),
          );
          open += made.filter(({ endings }) => endings.length === 0).length;
          const counted = found.filter(({ ended, cost }) => counts(ended, cost)).length;
          seen.counted += counted;
          seen.uncounted += found.length - counted;
          count += counted;
          credits += counted * price;
          paid = paidBefore - found.filter(({ ended }) => ended.status === 'failed').length * price;
          const isUsedUp = count >= chargedFailuresPerDay || credits >= refundedCreditsPerDay;
          const isOver = (paidCredits: number) => isUsedUp && paidCredits < paidCreditsPerRefunded * (credits + 1);
          const standing = await at.standing();
          // In between, it depends on which of the concurrent ends is stored first.
          if (counted > 0 && isOver(paidBefore)) isBarred = true;
          else if (counted > 0 && isOver(paid)) isBarred = standing.barredOn === day;
          if (count > chargedFailuresPerDay && !isBarred) seen.beyond += 1;
          if (count < chargedFailuresPerDay && isBarred) seen.dear += 1;
          const { chargedFailures } = standing;
          const stored = chargedFailures?.day === day ? chargedFailures : undefined;
          expect([stored?.count ?? 0, stored?.credits ?? 0]).toEqual([count, credits]);
        }
        expect(await at.audit()).toMatchObject({ credits: 0, slots: [] });
      },
    ),
    {
      numRuns: 40,
      examples: [
        [after(chargedFailuresPerDay - 2), liftedAfterwards],
        [afterMany, oneBeyond],
        [afterDear, dearThenBarred],
      ],
    },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});
