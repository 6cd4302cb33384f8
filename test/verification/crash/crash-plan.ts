/** Plans of random crashes: the tasks, the engine, and the moments of the kills. */
import * as fc from 'fast-check';
import type { EngineBehavior } from './external-engine.ts';

export interface PlannedTask {
  readonly behavior: EngineBehavior;
  readonly hasWebhook: boolean;
}

export interface PlannedKill {
  /** When in a process's work it happens: from 0 at the start towards 1 at the end. */
  readonly when: number;
  /** How much later the service is restarted, by its own clock. */
  readonly awayMs: number;
}

export interface CrashPlan {
  readonly engine: 'outside' | 'own';
  readonly engineCompletion: 'callback' | 'polling';
  readonly tasks: readonly PlannedTask[];
  readonly kills: readonly PlannedKill[];
  /** Rejected attempts at each webhook; together with those that kills interrupt, fewer than all three. */
  readonly rejectedPosts: number;
}

const plannedTask = fc.record({
  behavior: fc.constantFrom<EngineBehavior[]>(
    'calls back',
    'calls back',
    'is polled',
    'forgets',
    'fails',
    'never ends',
  ),
  hasWebhook: fc.constantFrom(true, true, false),
});

const plannedKill = fc.record({
  when: fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000),
  awayMs: fc.constantFrom(25_000, 61_000),
});

const crashPlan: fc.Arbitrary<CrashPlan> = fc
  .record({
    engine: fc.constantFrom('outside', 'outside', 'outside', 'outside', 'own'),
    engineCompletion: fc.constantFrom('callback', 'polling'),
    tasks: fc.array(plannedTask, { minLength: 3, maxLength: 5 }),
    kills: fc.array(plannedKill, { minLength: 1, maxLength: 2 }),
    isRejected: fc.boolean(),
  })
  .map(({ isRejected, ...plan }) => ({ ...plan, rejectedPosts: isRejected ? 2 - plan.kills.length : 0 }));

/** The same plans for the same seed. */
export const crashPlans = (seed: number, count: number): CrashPlan[] =>
  fc.sample(crashPlan, { seed, numRuns: count, unbiased: true });
