/** The operation that reports what an account's tasks cost. */
import * as z from 'zod';
import { credits, id } from './fields.ts';
import { usageDays } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { TaskType } from './task.ts';

const dayError = 'must be a day such as 2026-11-21';
const day = () => z.iso.date({ error: dayError }).meta({ maxLength: 10 });

/** The keys that rows can be grouped by, in the order of their columns. */
export const usageKeys = ['day', 'taskType', 'token'] as const;
export type UsageKey = (typeof usageKeys)[number];

const groupings = [
  ...usageKeys,
  'day,taskType',
  'day,token',
  'taskType,day',
  'taskType,token',
  'token,day',
  'token,taskType',
] as const;

const groupingError = `must be one or two different keys of ${usageKeys.join(', ')}, separated by a comma; clientReference is not supported`;

const UsageRow = once(() =>
  z
    .object({
      day: day().optional().describe('A day in UTC. Present if the rows are grouped by `day`.'),
      taskType: TaskType().optional().describe('The type of the tasks. Present if the rows are grouped by `taskType`.'),
      token: id()
        .nullable()
        .optional()
        .describe(
          'The id of the token that created the tasks; null for tasks of the dashboard, and where that was not recorded. Present if the rows are grouped by `token`.',
        ),
      tasks: z.int().min(0).describe('How many tasks were created.'),
      failed: z.int().min(0).describe('How many tasks failed or were canceled, also if they were created earlier.'),
      creditsUsed: credits().describe('What the created tasks cost.'),
      creditsRefunded: credits().describe('What the failed tasks returned.'),
    })
    .meta({ id: 'UsageRow', description: 'What the tasks with the same keys cost.' }),
);

const UsageReport = once(() =>
  z
    .object({
      from: day().describe('The first day of the report.'),
      to: day().describe('The last day of the report.'),
      rows: z.array(UsageRow()).describe('Sorted by their keys; without rows of nothing.'),
    })
    .meta({ id: 'UsageReport', description: 'What tasks cost.' }),
);

const usageQuery = once(() =>
  z.object({
    from: day().optional().describe('The first day, in UTC; by default 29 days before the last.'),
    to: day().optional().describe('The last day, in UTC; by default today.'),
    groupBy: z
      .enum(groupings, { error: groupingError })
      .default('day')
      .describe('The one or two keys that the rows are grouped by. `clientReference` is not supported.'),
  }),
);

type UsageQuery = z.output<ReturnType<typeof usageQuery>>;

/** The keys of a grouping, in the order of their columns. */
export const keysOf = (grouping: (typeof groupings)[number]): UsageKey[] =>
  usageKeys.filter((key) => grouping.split(',').includes(key));

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
      `Grouped by day, task type or token, for at most ${usageDays} days, none more than ${usageDays} days ago. The sums are those of the credit history: a failed task and its refund count on the day of the refund.`,
      'With `Accept: text/csv` the response is a table of `rows` with a line of column names. In a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break, an apostrophe comes first, so that no spreadsheet takes it for a formula. The clients read JSON only: for CSV, use an HTTP client such as curl.',
      'If there is more to count than one request can, the response is 503 `PROVIDER_UNAVAILABLE` with `Retry-After`: repeat the request, which continues where this one ended.',
    ].join('\n\n'),
    get query() {
      return usageQuery();
    },
    success: {
      status: 200,
      rows: 'rows',
      csv: (query) => [...keysOf((query as UsageQuery).groupBy), 'tasks', 'failed', 'creditsUsed', 'creditsRefunded'],
      get data() {
        return UsageReport();
      },
    },
    errors: [],
    example: {
      data: {
        from: '2026-11-21',
        to: '2026-11-21',
        rows: [{ day: '2026-11-21', tasks: 3, failed: 1, creditsUsed: 3, creditsRefunded: 1 }],
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
