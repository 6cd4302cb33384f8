/**
 * A circuit for each route to an engine: it opens when task after task fails by the engine's fault, and while it is open
 * new tasks are refused or go another way. After a pause one task is let through, and its end decides.
 */
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { TaskType } from '../../contracts/generate.ts';

export interface Circuit {
  /** Tasks in a row that failed by the engine's fault. */
  readonly failures: number;
  /** Nothing is let through before. */
  readonly openUntil?: number;
  /** One task is under way to see whether the engine works; until then no other is let through. */
  readonly probeUntil?: number;
  /** Whose end decides. */
  readonly probeTask?: string;
}

/** So many failures in a row are no accident. */
export const failuresThatOpen = 5;

const firstPauseMs = 30_000;
const longestPauseMs = 300_000;

/** How long one task has to show whether the engine works again, before another one may try. */
export const probeMs = 60_000;

/** Each further failure, which can only be that of the task that was let through, doubles the pause. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - failuresThatOpen));

/** What an engine without models makes of one type says nothing of what it makes of another. */
export const circuitOf = (
  { engine, model }: { readonly engine: string; readonly model?: string },
  taskType: TaskType,
): string => `${engine}/${model ?? taskType}`;

/** `probing` lets one through who says so first. */
export function stateOf(circuit: Circuit | undefined, now: number): 'closed' | 'open' | 'probing' {
  if (!circuit || circuit.failures < failuresThatOpen) return 'closed';
  return now < Math.max(circuit.openUntil ?? 0, circuit.probeUntil ?? 0) ? 'open' : 'probing';
}

/** What a task's end says of its engine. */
export type Verdict = 'works' | 'fails' | 'nothing';

const engineFaults: readonly TaskErrorCode[] = ['PROVIDER_ERROR', 'PROVIDER_TIMEOUT'];
const ownFaults: readonly TaskErrorCode[] = ['INTERNAL_ERROR', 'CANCELED'];

/**
 * An engine that finds fault with a content or an input works. `wasAsked` is false of a task that ended before its engine
 * heard of it; `code` is undefined of a task that was completed.
 */
export function verdictOf(code: TaskErrorCode | undefined, wasAsked: boolean): Verdict {
  if (code === undefined) return 'works';
  if (!wasAsked || ownFaults.includes(code)) return 'nothing';
  return engineFaults.includes(code) ? 'fails' : 'works';
}
