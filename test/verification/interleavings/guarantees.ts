/** Further guarantees after concurrent operations: the request limit, waiting executions, and the engine's jobs. */
import type { Outcome } from '../../../shared/contracts/workflow.ts';
import { ensureLogs, roomIn } from '../model/request-limit.ts';
import { ensure } from '../oracle/ensure.ts';
import type { ClientResponse, Scene } from './scene.ts';
import type { Course } from './serializability.ts';

const responsesOf = ({ operationResults }: Course): ClientResponse[] =>
  operationResults.flatMap((one) => ('response' in one ? [one.response] : []));

/** Of requests that come together as many are admitted as there is room for. */
export function ensureLimit(course: Course, { token: { tokenId } }: Scene, startedAt: number): void {
  const { before, after, operationResults } = course;
  const known = responsesOf(course).filter(({ code }) => code !== 'UNAUTHORIZED');
  const admitted = known.filter(({ code }) => code !== 'RATE_LIMITED').length;
  ensureLogs(before, after, new Map([[tokenId, { admitted, unknown: 0 }]]), 0);
  const free = roomIn(before.tokens.get(tokenId)?.log, startedAt);
  const least = Math.min(free, known.length);
  const evidence = { free, admitted, asked: known.length };
  ensure(admitted >= least, 'what there is room for is admitted', evidence);
  // With time there is more room.
  const waited = operationResults.some(({ kind }) => kind === 'wait' || kind === 'expire');
  ensure(waited || admitted === least, 'no more is admitted than there is room for', evidence);
}

/**
 * A waiting execution has not been notified because there is no outcome. Two attempts for one task are one too many
 * to guarantee it: the state machine retries only after it has abandoned the earlier attempt, which may come last.
 */
export function ensureWaiters({ after, operationResults }: Course, { world }: Scene): void {
  for (const { name: taskId, status, token } of world.workflow.executions) {
    const askings = operationResults.filter((one) => one.kind === 'ask' && one.taskId === taskId).length;
    if (status !== 'RUNNING' || token === undefined || askings > 1) continue;
    ensure(!after.outcomes.has(taskId), 'a waiting execution receives its outcome', {
      taskId,
      outcome: after.outcomes.get(taskId),
    });
  }
}

/** Whether the engine itself reported the end of a job, so that nothing is left to be stopped. */
const isReported = (outcome: Outcome | undefined): boolean =>
  outcome?.status === 'done' ||
  (outcome?.status === 'failed' && !['CANCELED', 'PROVIDER_TIMEOUT'].includes(outcome.code));

/** A cancellation also stops the task’s job, even one that the engine accepted meanwhile. */
export function ensureJobs({ before, after }: Course, { world }: Scene): void {
  for (const { taskId, errorCode } of after.tasks.values()) {
    const isCanceled = errorCode === 'CANCELED' && before.tasks.get(taskId)?.errorCode === undefined;
    const outcome = after.outcomes.get(taskId) as Outcome | undefined;
    if (!isCanceled || !after.references.has(taskId) || isReported(outcome)) continue;
    const job = world.host.engine.jobs.get(taskId);
    ensure(job?.canceled === true, 'the job of a canceled task is stopped', { taskId, job });
  }
}
