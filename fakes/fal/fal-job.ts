/** A request in the fake's queue: its state, its URLs, and its public representation. */

import type { FalBehavior } from './fal-behavior.ts';
import type { ModelInput } from './fal-endpoint.ts';
import type { FalReply } from './fal-faults.ts';

export interface FalJob {
  readonly requestId: string;
  /** The full id of the model's endpoint. */
  readonly endpoint: string;
  readonly input: ModelInput;
  readonly behavior: FalBehavior;
  readonly webhook: string | undefined;
  /** Aborted when the request is canceled. */
  readonly stop: AbortController;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED';
  /** The response to a request for the result, once the job is completed. */
  reply: FalReply | undefined;
  /** The duration of the inference in milliseconds. */
  inferenceMs: number;
}

export const newFalJob = (
  order: Pick<FalJob, 'requestId' | 'endpoint' | 'input' | 'behavior' | 'webhook'>,
): FalJob => ({
  ...order,
  stop: new AbortController(),
  status: 'IN_QUEUE',
  reply: undefined,
  inferenceMs: 0,
});

/** The owner and alias of an endpoint; URLs of requests omit the rest of its id. */
export const appOf = (endpoint: string): string => endpoint.split('/').slice(0, 2).join('/');

export const addressesOf = ({ requestId, endpoint }: FalJob, queueUrl: string) => {
  const address = `${queueUrl}/${appOf(endpoint)}/requests/${requestId}`;
  return { response_url: address, status_url: `${address}/status`, cancel_url: `${address}/cancel` };
};

interface View {
  readonly queueUrl: string;
  readonly queuePosition: number;
  readonly withLogs: boolean;
}

const logs = ({ withLogs }: View, time: string) =>
  withLogs ? [{ message: 'The fake is processing the request', level: 'INFO', source: 'USER', timestamp: time }] : [];

export const statusOf = (job: FalJob, view: View, time: string) => {
  const head = { status: job.status, request_id: job.requestId, ...addressesOf(job, view.queueUrl) };
  if (job.status === 'IN_QUEUE') return { ...head, queue_position: view.queuePosition };
  if (job.status === 'IN_PROGRESS') return { ...head, logs: logs(view, time) };
  return { ...head, logs: logs(view, time), metrics: { inference_time: job.inferenceMs / 1000 } };
};
