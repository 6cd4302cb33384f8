/** A step at which the service is killed, with the expected state after the kill and at the end. */

import type { EngineBehavior } from '../process/external-engine.ts';
import type { Sweeps } from '../process/orders.ts';
import { at, type KillAt } from './kill-switch.ts';
import type { Match } from './service-call.ts';
import type { Traces } from './traces.ts';

/** A kill, and the start that follows it. */
interface Kill {
  readonly killAt: KillAt;
  /** How much later the service is restarted, on its own clock. */
  readonly awayMs: number;
  /**
   * The scope of the first sweep: `everything` if executions died that would have outlived a Lambda function; `due` is
   * what AWS does.
   */
  readonly sweeps: Sweeps;
}

export interface CrashStep {
  /** Completes a title that begins with “a kill …”. */
  readonly name: string;
  /** The kills: one for each process; the last one is at the step itself. */
  readonly kills: readonly Kill[];
  readonly engine?: EngineBehavior | 'own';
  /** Whether the customer has a test token, whose tasks the engine of test mode makes. */
  readonly isTest?: true;
  /** How many webhook attempts get a 500. */
  readonly rejectedPosts?: number;
  /** Cancels the task once its engine has accepted it. */
  readonly isCanceled?: boolean;
  /** Whether the back end retries its request right after the last start, and not only at the end. */
  readonly isRepeatedAtOnce?: boolean;
  /** The expected traces while the service is down. */
  readonly leaves: Partial<Traces>;
  /** The expected traces at the end. */
  readonly ends: Partial<Traces>;
}

/** A duration longer than every lease and the time until a task is checked again. */
const minuteMs = 61_000;

export const kill = (match: Match, moment: 'before' | 'after', follows: Partial<Omit<Kill, 'killAt'>> = {}): Kill => ({
  killAt: at(match, moment),
  awayMs: minuteMs,
  sweeps: 'everything',
  ...follows,
});

export const due = { sweeps: 'due' } as const;

/** The traces of a task that has completed, failed, is open, has ended without its webhook, or was not started. */
export const completed = { status: 'completed', webhook: 'delivered', ledger: [-1], attempts: ['delivered'] } as const;
export const refunded = { ...completed, status: 'failed', ledger: [-1, 1] } as const;
export const open = { tasks: 1, slots: 1, ledger: [-1], attempts: [], posts: 0 } as const;
export const over = { tasks: 1, slots: 0, status: 'completed', ledger: [-1], webhook: 'pending' } as const;
export const unstarted = { ...open, status: 'pending', job: [], submissions: 0 } as const;
