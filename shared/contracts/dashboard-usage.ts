/** Dashboard operations that report what the account's tasks cost and whether their webhooks arrived. */
import * as z from 'zod';
import { credits, id, oneOf, page, paging, serviceUrl, timestamp } from './fields.ts';
import { attemptsPerSeries, usageDays } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';
import { taskTypes } from './task-types.ts';
import { DeliveryAttempt } from './tasks.ts';
import { webhookStatuses } from './webhook-statuses.ts';

const dayError = 'must be a day such as 2026-11-21';
const day = () => z.iso.date({ error: dayError });

const UsageEntry = once(() =>
  z
    .object({
      day: day().describe('A day in UTC.'),
      taskType: z.enum(taskTypes).describe('The type of the tasks.'),
      tokenId: id().nullable().describe('The token that created the tasks; null where that was not recorded.'),
      tasks: z.int().min(0).describe('How many tasks were created on the day.'),
      creditsUsed: credits().describe('What these tasks cost.'),
      creditsRefunded: credits().describe(
        'What failed tasks returned on the day, also for tasks that were created on an earlier one.',
      ),
    })
    .meta({ id: 'UsageEntry' }),
);

const UsageReport = once(() =>
  z
    .object({
      from: day().describe('The first day of the report.'),
      to: day().describe('The last day of the report.'),
      isComplete: z
        .boolean()
        .describe('False while not everything is counted: repeat the request, which continues where this one ended.'),
      usage: z.array(UsageEntry()).describe('By day, then by task type and token; without entries of nothing.'),
    })
    .meta({ id: 'UsageReport' }),
);

const usageQuery = once(() =>
  z.object({
    from: day().optional().describe('The first day, in UTC; by default 29 days before the last.'),
    to: day().optional().describe('The last day, in UTC; by default today.'),
  }),
);

const Delivery = once(() =>
  z
    .object({
      taskId: id().describe('The id of the task.'),
      taskType: z.enum(taskTypes).describe('The type of the task.'),
      taskStatus: z.enum(['completed', 'failed']).describe('How the task ended, which the webhook tells.'),
      url: serviceUrl().describe('The `callbackUrl` of the request.'),
      status: z.enum(webhookStatuses).describe('`failed` after the last unsuccessful attempt.'),
      attempts: z
        .array(DeliveryAttempt())
        .max(attemptsPerSeries)
        .describe('The finished attempts of the latest series, oldest first, of the last 30 days.'),
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
    ...paging(),
    status: oneOf(['failed']).optional().describe('Only webhooks that failed.'),
  }),
);

const exampleTaskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

export const dashboardUsageContracts = {
  getUsage: {
    operationId: 'getUsage',
    method: 'GET',
    path: '/account/api/usage',
    idempotent: false,
    summary: 'Get what tasks cost',
    description: `By day, task type and token, for at most ${usageDays} days, none more than ${usageDays} days ago. The sums are those of the credit history: a refund counts on the day on which it was paid.`,
    get query() {
      return usageQuery();
    },
    success: {
      status: 200,
      rows: 'usage',
      get data() {
        return UsageReport();
      },
    },
    errors: [],
    example: {
      data: {
        from: '2026-11-21',
        to: '2026-11-21',
        isComplete: true,
        usage: [
          {
            day: '2026-11-21',
            taskType: 'voice',
            tokenId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
            tasks: 3,
            creditsUsed: 3,
            creditsRefunded: 1,
          },
        ],
      },
    },
  },
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
            taskStatus: 'completed',
            url: 'https://shop.example.com/webhooks',
            status: 'failed',
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
