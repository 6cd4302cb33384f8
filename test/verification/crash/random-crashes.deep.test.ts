/**
 * The service is killed at random moments with several tasks under way, once or twice in a row. `CRASH_RUNS` sets the
 * number of plans and prints their totals; `CRASH_SEED` repeats earlier plans.
 */
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../shared/platform/clock.ts';
import { crashPlans } from './crash-plan.ts';
import { type CrashTally, crashByPlan } from './random-crash.ts';

const { CRASH_RUNS, CRASH_SEED } = process.env;
const seed = Number(CRASH_SEED ?? systemClock.now() % 2 ** 31);
const plans = crashPlans(seed, Number(CRASH_RUNS ?? 1));

const tally: CrashTally = {
  plans: 0,
  kills: 0,
  tasks: 0,
  webhooks: 0,
  attempts: 0,
  posts: 0,
  at: new Map(),
};

afterAll(() => {
  if (CRASH_RUNS) process.stdout.write(`${JSON.stringify({ seed, ...tally, at: Object.fromEntries(tally.at) })}\n`);
});

test.for(plans.map((plan, index) => [index + 1, plan] as const))(
  `random crash plan %i of seed ${seed}: every task ends, every credit is accounted for and every webhook is delivered`,
  { timeout: 180_000 },
  async ([, plan]) => {
    const { kills } = tally;
    await crashByPlan(plan, tally);
    expect(tally.kills - kills).toBe(plan.kills.length);
  },
);
