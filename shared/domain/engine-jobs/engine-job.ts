/** An engine job: one unit of work that an engine does for a task. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { Outcome } from '../../contracts/workflow.ts';

/** The task and the name of a job. Names are lower case with hyphens, such as `make` or `cut-01`. */
export interface JobId {
  readonly taskId: string;
  readonly name: string;
}

/** The job that creates the task's result; the task shows the state of this job. */
export const mainJob = 'make';

/** What language models do to rank the passages of a video: the sum of their calls, for which nothing waits. */
export const rankingJob = 'rank';

/** What is stored about a job. The row is created by whichever comes first: an execution's token or the outcome. */
export const EngineJobState = once(() =>
  z.object({
    /** The Step Functions token of the execution's latest attempt. */
    token: z.string().optional(),
    /** When an execution first waited for the job, in milliseconds. */
    begunAt: z.number().optional(),
    engine: z.string().optional(),
    /** The engine's id of the job, once it has accepted it. */
    reference: z.string().optional(),
    /** References that the engine no longer recognized when polled. */
    lostReferences: z.array(z.string()).optional(),
    /** Keys of the copied input files, once all of them are stored. */
    inputKeys: z.array(z.string()).optional(),
    /** How the engine reports the outcome. */
    completion: z.enum(['callback', 'polling']).optional(),
    /** When a job without an outcome fails, in milliseconds. */
    deadlineAt: z.number().optional(),
    outcome: Outcome().optional(),
    /** What the latest submission costs, in millionths of a dollar, as recorded with its outcome or the end of its task. */
    costMicros: z.int().optional(),
    /** Whether the task ended before the job had an outcome; the job's cost was then recorded with that end. */
    isSettled: z.boolean().optional(),
  }),
);
export type EngineJobState = z.output<ReturnType<typeof EngineJobState>>;

/**
 * How often a lost job is resubmitted. Each submission may be charged, and an engine that loses a job three times is
 * broken: the client is refunded at once instead of at the deadline.
 */
export const resubmissionLimit = 2;

/** Whether a job was lost too often to be resubmitted. */
export const isGivenUp = ({ lostReferences = [] }: EngineJobState): boolean =>
  lostReferences.length > resubmissionLimit;

/**
 * Whether a report concerns the job's current submission. Before an acceptance is stored, any report counts unless it
 * is about a lost reference.
 */
export const isCurrent = (
  { reference, lostReferences = [] }: EngineJobState,
  isReportOn: (reference: string) => boolean,
): boolean => (reference === undefined ? !lostReferences.some(isReportOn) : isReportOn(reference));

/** The job's idempotency key at its engine: the same for every submission, so that no second job is created. */
export const idempotencyKeyOf = ({ taskId, name }: JobId): string => (name === mainJob ? taskId : `${taskId}.${name}`);
