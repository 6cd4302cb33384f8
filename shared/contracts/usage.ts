/** The operation that reports what an account's tasks cost. */
import * as z from 'zod';
import { credits, id, oneOf } from './fields.ts';
import { usageDays } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { taskTypes } from './task-types.ts';

const dayError = 'must be a day such as 2026-11-21';
const day = () => z.iso.date({ error: dayError }).meta({ maxLength: 10 });

const UsageEntry = once(() =>
  z
    .object({
      day: day().describe('A day in UTC.'),
      taskType: oneOf(taskTypes).describe('The type of the tasks.'),
      tokenId: id().nullable().describe('The token that created the tasks; null where that was not recorded.'),
      tasks: z.int().min(0).describe('How many tasks were created on the day.'),
      creditsUsed: credits().describe('What these tasks cost.'),
      creditsRefunded: credits().describe(
        'What failed tasks returned on the day, also for tasks that were created on an earlier one.',
      ),
    })
    .meta({ id: 'UsageEntry', description: 'What the tasks of one type and token cost on one day.' }),
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
    .meta({ id: 'UsageReport', description: 'What tasks cost, by day, task type and token.' }),
);

const usageQuery = once(() =>
  z.object({
    from: day().optional().describe('The first day, in UTC; by default 29 days before the last.'),
    to: day().optional().describe('The last day, in UTC; by default today.'),
  }),
);

export const usageContracts = {
  getUsage: {
    operationId: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    tag: 'Account',
    scopes: ['read:usage'],
    idempotent: false,
    extension: true,
    dashboard: true,
    summary: 'Get what tasks cost',
    description: [
      `By day, task type and token, for at most ${usageDays} days, none more than ${usageDays} days ago. The sums are those of the credit history: a refund counts on the day on which it was paid.`,
      'With `Accept: text/csv` the response is a table of `usage` with a line of column names. A report that is not complete yet is rejected as CSV with 503 `PROVIDER_UNAVAILABLE` and `Retry-After`.',
    ].join('\n\n'),
    get query() {
      return usageQuery();
    },
    success: {
      status: 200,
      rows: 'usage',
      csv: true,
      retryAfter: 'while-incomplete',
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
} as const satisfies Record<string, OperationContract>;
