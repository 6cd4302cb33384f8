/** Tasks: what a generation became, how to follow it and how to stop it. */
import * as z from 'zod';
import { type ErrorCode, taskErrors } from './errors.ts';
import { credits, id, idList, idOf, oneOf, page, paging, text, timestamp } from './fields.ts';
import { generateContracts, taskTypes } from './generate.ts';
import type { OperationContract } from './operation.ts';

export const taskStatuses = ['pending', 'submitted', 'processing', 'completed', 'failed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

const codes = Object.keys(taskErrors) as [keyof typeof taskErrors, ...(keyof typeof taskErrors)[]];

export const TaskError = z.object({ code: z.enum(codes), message: z.string() }).meta({ id: 'TaskError' });

const Result = z
  .object({
    url: z.url(),
    contentType: z.string(),
    bytes: z.int().min(1),
    width: z.int().min(1).optional(),
    height: z.int().min(1).optional(),
    durationSec: z.number().min(0).optional(),
  })
  .meta({ id: 'Result' });

const DeliveryAttempt = z.object({
  at: timestamp(),
  statusCode: z.int().nullable(),
  error: z.string().nullable().describe('Why there was no answer: a short word, never an address.'),
  durationMs: z.int().min(0),
});

const Webhook = z
  .object({
    url: z.url(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(DeliveryAttempt),
  })
  .meta({ id: 'Webhook' });

const summary = {
  id: id(),
  taskType: z.enum(taskTypes),
  status: z.enum(taskStatuses),
  resultUrl: z.url().optional().describe('The first result; present when completed.'),
  results: z.array(Result).optional(),
  clientReference: z.string().optional(),
  influencerId: id().optional().describe('The influencer that an influencer task made; present when completed.'),
  creditsUsed: credits().describe('What the task cost.'),
  creditsRefunded: credits(),
  progress: z.int().min(0).max(100).describe('Never decreases; 100 exactly when completed.'),
  error: TaskError.optional(),
  createdAt: timestamp(),
  startedAt: timestamp().optional(),
  completedAt: timestamp().optional().describe('When the task became completed or failed.'),
};

export const TaskSummary = z.object(summary).meta({ id: 'TaskSummary' });
export type TaskSummary = z.output<typeof TaskSummary>;

export const Task = z
  .object({
    ...summary,
    input: z.record(z.string(), z.unknown()).describe("The accepted request's known fields with defaults filled in."),
    webhook: Webhook.optional(),
  })
  .meta({ id: 'Task' });
export type Task = z.output<typeof Task>;

const ids = idList(20, 'task')
  .optional()
  .describe(
    'Extension. Up to 20 task ids separated by commas: follows many tasks with one request. Unknown ids are left out.',
  );

const params = z.object({ taskId: id() });

const exampleTask = {
  id: '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162',
  taskType: 'voice',
  status: 'completed',
  resultUrl:
    'https://results.example.com/results/0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162-9f8e7d6c5b4a39281706f5e4d3c2b1a0/1.mp3',
  results: [
    {
      url: 'https://results.example.com/results/0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162-9f8e7d6c5b4a39281706f5e4d3c2b1a0/1.mp3',
      contentType: 'audio/mpeg',
      bytes: 21_420,
      durationSec: 2.7,
    },
  ],
  creditsUsed: 1,
  creditsRefunded: 0,
  progress: 100,
  createdAt: '2026-11-21T12:00:05.000Z',
  startedAt: '2026-11-21T12:00:05.100Z',
  completedAt: '2026-11-21T12:00:06.000Z',
} as const;

const exampleInput = { text: 'Olá! Seu vídeo está pronto.', voice: 'sarah', stability: 0.5, similarityBoost: 0.75 };
const canceled = { code: 'CANCELED', message: taskErrors.CANCELED } as const;

/** Every scope that makes tasks; which one a cancel needs depends on the task. */
const generationScopes = [...new Set(Object.values(generateContracts).map((contract) => contract.scope))];

export const tasksContracts = {
  listTasks: {
    operationId: 'listTasks',
    method: 'GET',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    scopes: ['read:tasks'],
    idempotent: false,
    summary: 'Lists tasks, newest first',
    description: [
      'The same records as `getTask` without `input` and `webhook`. All filters can be combined, and every combination is complete however many tasks the account has.',
      'A new task is listed as soon as its creation was answered. A task that has just ended may take a moment to appear under `status=completed` or `status=failed`; it never leaves a list that is not filtered by status.',
      'To read everything, increase `offset` by `limit` until the list is empty. `offset` ends at 10,000: to go on from there, or at any time, pass the id of the last task that you received as `after` and leave `offset` at 0. Pages by `after` neither repeat nor skip tasks when new ones are created meanwhile.',
      'The label `queued` is accepted as a `status` and finds nothing.',
    ].join('\n\n'),
    query: z.object({
      ...paging,
      status: oneOf(['queued', ...taskStatuses]).optional(),
      taskType: oneOf(taskTypes).optional().describe('Extension. Only tasks of this type.'),
      clientReference: text(1, 128).optional().describe('Extension. Only tasks that were given this reference.'),
      ids,
      after: idOf('task').optional().describe('Extension. Only tasks older than the one with this id.'),
    }),
    success: { status: 200, data: z.object({ tasks: z.array(TaskSummary), ...page }).meta({ id: 'TaskList' }) },
    errors: [],
    example: { data: { tasks: [exampleTask], limit: 20, offset: 0 } },
  },
  getTask: {
    operationId: 'getTask',
    method: 'GET',
    path: '/api/v1/tasks/{taskId}',
    tag: 'Tasks',
    scopes: ['read:tasks'],
    idempotent: false,
    summary: 'Reads a task',
    description:
      'A task of another account answers like one that does not exist. `resultUrl` is kept 90 days. `webhook` tells each delivery attempt; the attempts are kept 30 days.',
    params,
    success: { status: 200, data: Task },
    errors: ['NOT_FOUND'] satisfies ErrorCode[],
    example: {
      params: { taskId: exampleTask.id },
      data: { ...exampleTask, input: exampleInput },
    },
  },
  cancelTask: {
    operationId: 'cancelTask',
    method: 'POST',
    path: '/api/v1/tasks/{taskId}/cancel',
    tag: 'Tasks',
    scopes: generationScopes,
    idempotent: false,
    extension: true,
    summary: 'Cancels a task and refunds it',
    description:
      "Needs the scope of the operation that made the task. The task becomes failed with the error CANCELED, the credits are refunded, and the engine's job is cancelled as far as the engine can. Takes no body.",
    params,
    success: { status: 200, data: Task },
    errors: ['NOT_FOUND', 'TASK_NOT_CANCELABLE'],
    example: {
      params: { taskId: exampleTask.id },
      data: {
        id: exampleTask.id,
        taskType: 'voice',
        status: 'failed',
        creditsUsed: 1,
        creditsRefunded: 1,
        progress: 0,
        error: canceled,
        createdAt: exampleTask.createdAt,
        completedAt: exampleTask.completedAt,
        input: exampleInput,
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
