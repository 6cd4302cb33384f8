/** Operations that tell what happened to a task, and send its webhook again. */
import * as z from 'zod';
import { credits, id, shortText, timestamp } from './fields.ts';
import { attemptsPerSeries, deliveryAttemptsLimit, deliverySeriesLimit, redeliveriesPerHour } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { generationScopes } from './scopes.ts';
import { taskParams } from './tasks.ts';

const TaskEvent = once(() =>
  z
    .object({
      at: timestamp().describe('When it happened.'),
      type: z
        .enum([
          'created',
          'submitted',
          'started',
          'progress',
          'completed',
          'failed',
          'canceled',
          'refunded',
          'webhook_attempted',
        ])
        .describe('What happened; `progress` is the latest report of the engine.'),
      actor: z
        .enum(['api', 'engine', 'system', 'operator'])
        .describe('Who caused it: a request of the account, the engine, the service itself or its operator.'),
      credits: credits().optional().describe('What was debited when the task was created, or refunded.'),
      statusCode: z.int().min(100).max(999).optional().describe('The HTTP status of a response to the webhook.'),
      message: shortText(500).optional().describe('The progress, or why the task or an attempt failed.'),
    })
    .meta({ id: 'TaskEvent', description: 'Something that happened to a task.' }),
);
export type TaskEvent = z.output<ReturnType<typeof TaskEvent>>;

/** The maximum number of events of a task: each event except a delivery attempt happens at most once. */
const mostEvents = deliveryAttemptsLimit + 10;

const TaskEvents = once(() =>
  z
    .object({
      taskId: id().describe('The id of the task.'),
      events: z.array(TaskEvent()).max(mostEvents).describe('Oldest first.'),
    })
    .meta({ id: 'TaskEvents', description: 'What happened to a task.' }),
);

const Redelivery = once(() =>
  z
    .object({
      taskId: id().describe('The id of the task.'),
      status: z.literal('pending').describe('The status of its webhook.'),
    })
    .meta({ id: 'Redelivery', description: 'A webhook that is sent again.' }),
);

const exampleTaskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

export const taskEventsContracts = {
  listTaskEvents: {
    operationId: 'listTaskEvents',
    method: 'GET',
    path: '/api/v1/tasks/{taskId}/events',
    tag: 'Tasks',
    scopes: ['read:tasks'],
    idempotent: false,
    extension: true,
    dashboard: true,
    summary: 'List the events of a task',
    description:
      'When the task changed its status, who caused it, which credits moved, and how each attempt to deliver its webhook ended. Complete for 30 days; afterwards attempts are missing.',
    get params() {
      return taskParams();
    },
    success: {
      status: 200,
      get data() {
        return TaskEvents();
      },
    },
    errors: ['NOT_FOUND'],
    example: {
      params: { taskId: exampleTaskId },
      data: {
        taskId: exampleTaskId,
        events: [
          { at: '2026-11-21T12:00:05.000Z', type: 'created', actor: 'api', credits: 1 },
          { at: '2026-11-21T12:00:05.100Z', type: 'started', actor: 'engine' },
          { at: '2026-11-21T12:00:06.000Z', type: 'completed', actor: 'engine' },
          { at: '2026-11-21T12:00:06.020Z', type: 'webhook_attempted', actor: 'system', statusCode: 204 },
        ],
      },
    },
  },
  redeliverWebhook: {
    operationId: 'redeliverWebhook',
    method: 'POST',
    path: '/api/v1/tasks/{taskId}/redeliver',
    tag: 'Tasks',
    // As for a cancellation, the required scope depends on the type of the task.
    scopes: generationScopes,
    idempotent: false,
    extension: true,
    dashboard: true,
    summary: 'Send the webhook of a task again',
    description: `In a new series of up to ${attemptsPerSeries} attempts, with the same body and \`webhook-id\`. A task has at most ${deliverySeriesLimit} series. The token needs the scope of the operation that created the task. Takes no body.`,
    furtherLimits: {
      RATE_LIMITED: `the webhook of the task was sent again ${redeliveriesPerHour} times within an hour.`,
    },
    get params() {
      return taskParams();
    },
    success: {
      status: 202,
      description: 'Accepted: the webhook is sent.',
      get data() {
        return Redelivery();
      },
    },
    errors: ['NOT_FOUND', 'WEBHOOK_NOT_DELIVERABLE'],
    example: { params: { taskId: exampleTaskId }, data: { taskId: exampleTaskId, status: 'pending' } },
  },
} as const satisfies Record<string, OperationContract>;
