/** What operators see of tasks: in addition to what the account sees, its engines and what they charge. */
import * as z from 'zod';
import { day } from './day-field.ts';
import { id, idOf, limitAndOffset, oneOf, page, shortText, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';
import { Task, TaskSummary } from './task.ts';
import { taskEventsContracts } from './task-events.ts';
import { taskStatuses } from './task-statuses.ts';
import { taskTypes } from './task-types.ts';

const ofOperators = () => ({
  accountId: shortText().describe('The account that created the task.'),
  tokenId: shortText().nullable().describe('The token that created it; null if its owner did, in the dashboard.'),
  canceledBy: shortText()
    .nullable()
    .describe(
      'Who canceled it: the id of a token, `owner` in the dashboard, or `closing` of the account; null if it was not canceled, or was in an earlier release.',
    ),
  engine: shortText().describe('The engine that the task was given to.'),
  route: shortText().describe('The route of the engine.'),
  engineCostMicros: z
    .int()
    .min(0)
    .nullable()
    .describe('What the engines charge, in millionths of a dollar; null until then.'),
  deadlineAt: timestamp()
    .nullable()
    .describe('Until when the open task may run: it fails then, with `PROVIDER_TIMEOUT`; null once it has ended.'),
});

export const OperatedTask = once(() =>
  TaskSummary()
    .omit({ results: true, clips: true, resultUrl: true })
    .extend({
      ...ofOperators(),
      email: shortText(320)
        .nullable()
        .describe('The e-mail address of the account’s owner, unless it has been erased.'),
      webhookStatus: shortText().nullable().describe('How its webhook was delivered.'),
    })
    .meta({ id: 'OperatedTask' }),
);

const OperatedTasks = once(() =>
  z
    .object({
      tasks: z.array(OperatedTask()).max(100).describe('Newest first.'),
      ...page(),
      next: shortText()
        .nullable()
        .describe('Of the failed tasks of all accounts: `before` of the next page; null if there is none.'),
    })
    .meta({ id: 'OperatedTasks' }),
);

const EngineJob = once(() =>
  z
    .object({
      name: shortText().describe('The name of the job; `make` makes the result.'),
      engine: shortText().nullable().describe('The engine, once it has accepted the job.'),
      reference: shortText(1000).nullable().describe('The id of the job at the engine.'),
      lostReferences: z.array(shortText(1000)).max(10).describe('Ids that the engine no longer knew.'),
      outcome: shortText(1000).nullable().describe('How the job ended.'),
      costMicros: z.int().min(0).nullable().describe('What it costs, in millionths of a dollar.'),
      deadlineAt: timestamp().nullable().describe('When it fails without an outcome.'),
    })
    .meta({ id: 'EngineJob' }),
);

const InspectedTask = once(() =>
  z
    .object({
      task: Task().extend(ofOperators()).meta({ id: 'InspectedTaskItself' }),
      jobs: z.array(EngineJob()).max(100).describe('The work that engines did for it.'),
      events: taskEventsContracts.listTaskEvents.success.data.shape.events,
    })
    .meta({ id: 'InspectedTask' }),
);

/** The ways in which tasks of all accounts can be stuck. */
export const stuckKinds = ['deadline', 'webhook'] as const;
export type Stuck = (typeof stuckKinds)[number];

const tasksQuery = once(() =>
  z.object({
    ...limitAndOffset(),
    account: idOf('account')
      .optional()
      .describe(
        'Only tasks of this account; without it, open tasks of all accounts, or with the status or an error, failed ones.',
      ),
    status: oneOf(taskStatuses).optional().describe('Only tasks with this status.'),
    type: oneOf(taskTypes).optional().describe('Only tasks of this type.'),
    engine: shortText().optional().describe('Only tasks of this engine.'),
    error: shortText().optional().describe('Only tasks that failed with this code.'),
    stuck: oneOf(stuckKinds)
      .optional()
      .describe(
        'Only stuck tasks: `deadline`, open ones past their deadline; `webhook`, those whose webhook failed today or yesterday (UTC).',
      ),
    day: day().optional().describe('The day (UTC) on which tasks of all accounts failed; today by default.'),
    before: idOf('task').optional().describe('Only failed tasks of all accounts that are older than this one.'),
    minutes: z
      .string()
      .regex(/^\d{1,6}$/, { error: 'must be a number of minutes' })
      .transform(Number)
      .optional()
      .describe('Only tasks that are at least this old.'),
  }),
);
const params = once(() => z.object({ taskId: id().describe('The id of a task.') }));

const exampleId = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';
const exampleTask = {
  id: exampleId,
  taskType: 'voice',
  label: 'Olá!',
  status: 'processing',
  creditsUsed: 3,
  creditsRefunded: 0,
  progress: 40,
  createdAt: '2026-11-21T12:00:00.000Z',
  accountId: exampleId,
  tokenId: null,
  canceledBy: null,
  engine: 'fal',
  route: 'fal/voice',
  engineCostMicros: null,
  deadlineAt: '2026-11-21T12:10:00.000Z',
} as const;

export const operateTaskContracts = {
  listOperatedTasks: {
    operationId: 'listOperatedTasks',
    method: 'GET',
    path: '/operate/api/tasks',
    idempotent: false,
    operator: 'viewer',
    summary: 'List tasks of an account, or open, failed or stuck tasks of all accounts',
    description:
      '`day` and `before` are for failed tasks, and ignored with `stuck`. Filters by account, status and type of an account, and by the day of failures, use the keys of the table. Others leave out entries of the page that was read, so a page may be short. Tasks of test tokens are listed for their account only.',
    get query() {
      return tasksQuery();
    },
    success: {
      status: 200,
      rows: 'tasks',
      get data() {
        return OperatedTasks();
      },
    },
    errors: [],
    example: { data: { tasks: [{ ...exampleTask, webhookStatus: null }], limit: 20, offset: 0, next: null } },
  },
  inspectTask: {
    operationId: 'inspectTask',
    method: 'GET',
    path: '/operate/api/tasks/{taskId}',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get a task with its engine jobs and its events',
    description: "As the account sees it, with the engines' references and what they charge.",
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return InspectedTask();
      },
    },
    errors: ['NOT_FOUND'],
    example: {
      params: { taskId: exampleId },
      data: { task: { ...exampleTask, input: { text: 'Olá!' } }, jobs: [], events: [] },
    },
  },
} as const satisfies Record<string, OperateContract>;
