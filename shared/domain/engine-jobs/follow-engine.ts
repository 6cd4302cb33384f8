/** How an engine's word moves a task, whether it was asked or called back. */
import type { Outcome } from '../../contracts/workflow.ts';
import type { EngineOutcome, EngineProgress } from '../../engines/engine.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Stores } from '../stores.ts';
import { overdueMs, type Task, type Transition, transitionOn } from '../tasks/task.ts';
import type { CallbackRow } from './callback-store.ts';

interface Needs extends Stores {
  readonly clock: Clock;
}

async function advance({ clock, tasks }: Needs, task: Task, transition: Transition): Promise<void> {
  if (!transition.from.includes(task.status)) return;
  await tasks.advance(task, transition, { at: clock.now(), lookAt: task.deadlineAt + overdueMs });
}

/** The engine took the job. */
export const noteAcceptance = (needs: Needs, task: Task): Promise<void> =>
  advance(needs, task, transitionOn('accepted', task.taskType));

/** The engine is at it, so far. 100 is kept for a task whose results are in place. */
export async function noteProgress(needs: Needs, task: Task, { status, progress }: EngineProgress): Promise<void> {
  if (status === 'running') await advance(needs, task, transitionOn('running', task.taskType));
  if (progress > task.progress) await needs.tasks.raiseProgress(task.taskId, Math.min(99, progress));
}

const plainOutcome = (outcome: EngineOutcome): Outcome =>
  outcome.status === 'failed' ? outcome : { status: 'done', outputs: outcome.outputs.map((output) => ({ ...output })) };

/**
 * The engine is through with it; what comes back is the outcome that stands, and who waits for it. Also a task that was
 * done at once has been worked on, and shows it.
 */
export async function noteOutcome(needs: Needs, task: Task, outcome: EngineOutcome): Promise<CallbackRow> {
  if (outcome.status === 'done') await advance(needs, task, transitionOn('running', task.taskType));
  return needs.callbacks.holdOutcome(task.taskId, plainOutcome(outcome), needs.clock.now());
}
