/** Dashboard operations on the webhooks of the account's tasks. */
import * as z from 'zod';
import { failureMessage } from './errors.ts';
import { id, limitAndOffset, oneOf, page, serviceUrl, shortText, timestamp } from './fields.ts';
import { attemptsPerSeries, listedSeries } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';
import { DeliveryAttempt } from './task.ts';
import { taskTypes } from './task-types.ts';
import { webhookStatuses } from './webhook-statuses.ts';

const Delivery = once(() =>
  z
    .object({
      taskId: id().describe('The id of the task.'),
      taskType: z.enum(taskTypes).describe('The type of the task.'),
      taskStatus: z.enum(['completed', 'failed']).describe('How the task ended, which the webhook tells.'),
      url: serviceUrl().describe('The `callbackUrl` of the request.'),
      status: z.enum(webhookStatuses).describe('`failed` after the last unsuccessful attempt.'),
      request: z
        .object({
          headers: z
            .record(z.string(), z.string())
            .describe('The headers that are the same in every attempt and contain no secret.'),
          body: shortText(4000).describe('The body, which is the same in every attempt.'),
        })
        .describe('What is sent. Nothing is stored of it: it is built again from the task.'),
      attempts: z
        .array(DeliveryAttempt())
        .max(listedSeries * attemptsPerSeries)
        .describe(
          `The finished attempts of the latest ${listedSeries} series, oldest first, of the last 30 days; \`getTask\` has those of all.`,
        ),
      endedAt: timestamp().describe('When the task ended.'),
    })
    .meta({ id: 'Delivery' }),
);

const DeliveryList = once(() =>
  z
    .object({
      deliveries: z
        .array(Delivery())
        .max(100)
        .describe('Those that failed, then those that are pending or were delivered; each newest first.'),
      ...page(),
    })
    .meta({ id: 'DeliveryList' }),
);

const deliveriesQuery = once(() =>
  z.object({
    ...limitAndOffset(),
    status: oneOf(['failed']).optional().describe('Only webhooks that failed.'),
  }),
);

const exampleTaskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

export const dashboardDeliveryContracts = {
  listDeliveries: {
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/account/api/deliveries',
    idempotent: false,
    summary: 'List webhook deliveries',
    description:
      'The webhooks of all ended tasks of the account, those that failed first. A change may take about a second to appear.',
    get query() {
      return deliveriesQuery();
    },
    success: {
      status: 200,
      rows: 'deliveries',
      get data() {
        return DeliveryList();
      },
    },
    errors: [],
    example: {
      data: {
        deliveries: [
          {
            taskId: exampleTaskId,
            taskType: 'voice',
            taskStatus: 'failed',
            url: 'https://shop.example.com/webhooks',
            status: 'failed',
            request: {
              headers: {
                'Content-Type': 'application/json',
                'User-Agent': 'GenerationService-Webhook/1.0',
                'webhook-id': `msg_${exampleTaskId}`,
              },
              body: JSON.stringify({
                event: 'task.failed',
                taskId: exampleTaskId,
                status: 'failed',
                error: { code: 'CANCELED', message: failureMessage('CANCELED') },
                timestamp: '2026-11-21T12:00:06.000Z',
              }),
            },
            attempts: [
              { at: '2026-11-21T12:00:06.000Z', statusCode: 500, error: 'status 500', durationMs: 120 },
              { at: '2026-11-21T12:00:08.000Z', statusCode: 500, error: 'status 500', durationMs: 95 },
              { at: '2026-11-21T12:00:12.000Z', statusCode: null, error: 'timeout', durationMs: 10_000 },
            ],
            endedAt: '2026-11-21T12:00:06.000Z',
          },
        ],
        limit: 20,
        offset: 0,
      },
    },
  },
} as const satisfies Record<string, DashboardContract>;
