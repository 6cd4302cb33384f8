/** A step at which the service is killed: what it has done by then, and what must have come of it in the end. */
import type { Manner } from './engine-at-work.ts';
import { at, type KillAt } from './guillotine.ts';
import type { Sweeps } from './life.ts';
import type { Match } from './passage.ts';
import type { Traces } from './traces.ts';

/** A kill, and the start that follows it. */
interface Kill {
  readonly killAt: KillAt;
  /** How much later the service is started again, on its own clock. */
  readonly awayMs: number;
  /** `everything` where executions died that would have outlived a Lambda; `due` is all that AWS does. */
  readonly sweeps: Sweeps;
}

export interface CrashStep {
  /** Completes “a kill …”. */
  readonly name: string;
  /** Of one life after the other; the last one is the step's. */
  readonly kills: readonly Kill[];
  readonly engine?: Manner | 'own';
  /** So many posts are answered with 500. */
  readonly refusedPosts?: number;
  /** The task is canceled once its engine has it. */
  readonly isCanceled?: boolean;
  /** The back end repeats its request at once after the last start, and not only in the end. */
  readonly isRepeatedAtOnce?: boolean;
  /** What is there while the service is dead. */
  readonly leaves: Partial<Traces>;
  readonly ends: Partial<Traces>;
}

/** Past every lease, and past the time of the next look at what is not over. */
const minuteMs = 61_000;

export const kill = (match: Match, moment: 'before' | 'after', follows: Partial<Omit<Kill, 'killAt'>> = {}): Kill => ({
  killAt: at(match, moment),
  awayMs: minuteMs,
  sweeps: 'everything',
  ...follows,
});

export const due = { sweeps: 'due' } as const;
