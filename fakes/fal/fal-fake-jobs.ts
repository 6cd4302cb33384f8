/** Accepts, rejects, finds and cancels requests. */

import { defaultBehavior, type FalBehavior, requestedBehavior, type SubmissionOutcome } from './fal-behavior.ts';
import { falEndpoints } from './fal-endpoints.ts';
import { type FalReply, faultReply, queueFault } from './fal-faults.ts';
import { addressesOf, type FalJob, newFalJob } from './fal-job.ts';
import type { FalQueue } from './fal-queue.ts';
import { keepLatest, type Submission, submitters } from './submitters.ts';

interface FalFakeJobsOptions {
  /** The default behavior of requests to an endpoint. */
  readonly behaviorOf: (endpoint: string) => Partial<FalBehavior>;
  readonly honoursIdempotencyKeys: boolean;
  readonly newId: () => string;
  readonly queueUrl: () => string;
  readonly queue: FalQueue;
}

export interface FalFakeJobs {
  submit(submission: Submission): FalReply | 'hang';
  find(requestId: string): FalJob | undefined;
  positionOf(job: FalJob): number;
  cancel(job: FalJob): FalReply;
}

const rejection = (outcome: SubmissionOutcome): FalReply | 'hang' => {
  if (outcome === 'hang') return outcome;
  const { status, retryAfterSeconds, type } = outcome;
  const { headers, body } = type ? faultReply(type) : { headers: {}, body: { detail: 'Not now' } };
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { status, headers: { ...headers, ...retryAfter }, body };
};

const receipt = (job: FalJob, { queueUrl, queue }: FalFakeJobsOptions): FalReply => ({
  status: 200,
  body: {
    status: 'IN_QUEUE',
    request_id: job.requestId,
    gateway_request_id: job.requestId,
    ...addressesOf(job, queueUrl()),
    queue_position: queue.positionOf(job),
  },
});

const cancel = (job: FalJob, queue: FalQueue): FalReply => {
  if (job.status === 'COMPLETED') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  const wasWaiting = job.status === 'IN_QUEUE';
  queue.cancel(job, queueFault('client_cancelled', 'The request was cancelled'));
  return wasWaiting
    ? { status: 200, body: { status: 'OK' } }
    : { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
};

export const falFakeJobs = (options: FalFakeJobsOptions): FalFakeJobs => {
  const { behaviorOf, honoursIdempotencyKeys, newId, queue } = options;
  const jobs = new Map<string, FalJob>();
  const submitterOf = submitters();

  return {
    submit(submission) {
      const { endpoint, input, webhook, idempotencyKey } = submission;
      if (!Object.hasOwn(falEndpoints, endpoint)) {
        return { status: 404, body: { detail: `Application ${JSON.stringify(endpoint)} not found` } };
      }
      const submitter = submitterOf(submission);
      const known = honoursIdempotencyKeys && idempotencyKey && jobs.get(submitter.requestId ?? '');
      if (known) return receipt(known, options);
      const jobBehavior = { ...defaultBehavior, ...behaviorOf(endpoint), ...requestedBehavior(input) };
      const outcome = jobBehavior.submissions[submitter.attempts];
      submitter.attempts += 1;
      if (outcome) return rejection(outcome);
      const job = newFalJob({ requestId: newId(), endpoint, input, webhook, behavior: jobBehavior });
      queue.add(job);
      submitter.accepted += 1;
      if (!jobBehavior.isForgotten || submitter.accepted > 1) {
        jobs.set(job.requestId, job);
        keepLatest(jobs);
        submitter.requestId = job.requestId;
      }
      return receipt(job, options);
    },
    find: (requestId) => jobs.get(requestId),
    positionOf: (job) => queue.positionOf(job),
    cancel: (job) => cancel(job, queue),
  };
};
