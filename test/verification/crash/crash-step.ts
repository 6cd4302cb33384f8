/** A step at which the service is killed: the state left behind, and the expected state in the end. */

import type { EngineBehavior } from '../process/external-engine.ts';
import type { Sweeps } from '../process/orders.ts';
import { at, type KillAt } from './kill-switch.ts';
import type { Match } from './service-call.ts';
import type { Traces } from './traces.ts';

/** A kill, and the start that follows it. */
interface Kill {
  readonly killAt: KillAt;
  /** How much later the service is restarted, by its own clock. */
  readonly awayMs: number;
  /** `everything` where executions died that would have outlived a Lambda; `due` is all that AWS does. */
  readonly sweeps: Sweeps;
}

export interface CrashStep {
  /** Completes “a kill …”. */
  readonly name: string;
  /** One for each process; the last is the step's. */
  readonly kills: readonly Kill[];
  readonly engine?: EngineBehavior | 'own';
  /** How many posts get a 500. */
  readonly rejectedPosts?: number;
  /** Cancels the task once its engine has accepted it. */
  readonly isCanceled?: boolean;
  /** The back end repeats its request right after the last start, not only in the end. */
  readonly isRepeatedAtOnce?: boolean;
  /** The traces while the service is down. */
  readonly leaves: Partial<Traces>;
  /** The traces in the end. */
  readonly ends: Partial<Traces>;
}

/** Longer than every lease, and than the time until a task is checked again. */
const minuteMs = 61_000;

export const kill = (match: Match, moment: 'before' | 'after', follows: Partial<Omit<Kill, 'killAt'>> = {}): Kill => ({
  killAt: at(match, moment),
  awayMs: minuteMs,
  sweeps: 'everything',
  ...follows,
});

export const due = { sweeps: 'due' } as const;

/** The traces of a task that came to its end, that failed, that is open, that ended without its webhook, that was not started. */
export const completed = { status: 'completed', webhook: 'delivered', ledger: [-1], attempts: ['delivered'] } as const;
export const refunded = { ...completed, status: 'failed', ledger: [-1, 1] } as const;
export const open = { tasks: 1, slots: 1, ledger: [-1], attempts: [], posts: 0 } as const;
export const over = { tasks: 1, slots: 0, status: 'completed', ledger: [-1], webhook: 'pending' } as const;
export const unstarted = { ...open, status: 'pending', job: [], submissions: 0 } as const;
