/** An engine job: one thing that an outside party does for a task. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { Outcome } from '../../contracts/workflow.ts';

/** Which job of which task; a name is lower case with hyphens, such as `make` or `cut-01`. */
export interface JobId {
  readonly taskId: string;
  readonly name: string;
}

/** The job that makes what the task promises: its state is the task's. */
export const mainJob = 'make';

/** What is stored of a job. It begins with whatever comes first: an execution's token, or the outcome. */
export const EngineJobState = once(() =>
  z.object({
    /** The task token of the execution's latest attempt. */
    token: z.string().optional(),
    /** When an execution first waited for the job, in milliseconds. */
    begunAt: z.number().optional(),
    engine: z.string().optional(),
    /** The engine's name for the job, once the engine accepted it. */
    reference: z.string().optional(),
    /** References that the engine no longer recognized when it was polled. */
    lostReferences: z.array(z.string()).optional(),
    /** Keys of the copies of the task's input files, once all of them are stored. */
    inputKeys: z.array(z.string()).optional(),
    /** How the engine reports the end. */
    completion: z.enum(['callback', 'polling']).optional(),
    /** When a job without an outcome fails, in milliseconds. */
    deadlineAt: z.number().optional(),
    outcome: Outcome().optional(),
  }),
);
export type EngineJobState = z.output<ReturnType<typeof EngineJobState>>;

/**
 * How often a job that its engine has lost is submitted again. Each submission may be charged: an engine that loses a
 * job three times is broken, and the client gets its credits back at once instead of at the deadline.
 */
export const resubmissionLimit = 2;

/** Whether a job has been lost too often to be submitted again. */
export const isGivenUp = ({ lostReferences = [] }: EngineJobState): boolean =>
  lostReferences.length > resubmissionLimit;

/**
 * Whether a report is about the job as it was last accepted. Before an acceptance is stored, everything is but a report
 * on a job that the engine had lost.
 */
export const isCurrent = (
  { reference, lostReferences = [] }: EngineJobState,
  isReportOn: (reference: string) => boolean,
): boolean => (reference === undefined ? !lostReferences.some(isReportOn) : isReportOn(reference));

/** The id of a job at its engine: the same for every submission, so that no second job is created. */
export const idempotencyKeyOf = ({ taskId, name }: JobId): string => (name === mainJob ? taskId : `${taskId}.${name}`);
