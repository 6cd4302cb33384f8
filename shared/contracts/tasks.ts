/** Operations that read, list, cancel and delete tasks. */
import * as z from 'zod';
import { type ErrorCode, failureMessage } from './errors.ts';
import { id, idList, idOf, oneOf, page, paging, text } from './fields.ts';
import {
  cancelsPerDay,
  longResultsPerDay,
  paidCreditsPerRefunded,
  polledTasksLimit,
  refundedCreditsPerDay,
  resultsRetentionDays,
} from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { generationScopes } from './scopes.ts';
import { Task, TaskSummary, TaskType } from './task.ts';
import { taskStatuses } from './task-statuses.ts';

const TaskStatusFilter = once(() => oneOf(['queued', ...taskStatuses]).meta({ id: 'TaskStatusFilter' }));

const DeletedTask = once(() =>
  z
    .object({
      taskId: id().describe('The id of the deleted task.'),
      deleted: z.boolean().describe('Always true.'),
    })
    .meta({ id: 'DeletedTask', description: 'Confirms that a task was deleted.' }),
);

const TaskList = once(() =>
  z
    .object({ tasks: z.array(TaskSummary()).max(100).describe('Newest first.'), ...page() })
    .meta({ id: 'TaskList', description: 'A page of tasks.' }),
);

const ids = () =>
  idList(polledTasksLimit, 'task')
    .optional()
    .describe(
      `Extension. Up to ${polledTasksLimit} task ids separated by commas, to poll many tasks with one request. Unknown ids are omitted.`,
    );

export const taskParams = once(() => z.object({ taskId: id().describe('The id of a task.') }));

const listQuery = once(() =>
  z.object({
    ...paging(idOf('task')),
    status: TaskStatusFilter().optional().describe('Only tasks with this status.'),
    taskType: TaskType().optional().describe('Extension. Only tasks of this type.'),
    clientReference: text(1, 128).optional().describe('Extension. Only tasks with this `clientReference`.'),
    ids: ids(),
  }),
);

const exampleId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';
const exampleUrl = `https://results.example.com/results/${exampleId}-9f8e7d6c5b4a39281706f5e4d3c2b1a0/1-5f0e8b1c.mp3`;
const exampleTask = {
  id: exampleId,
  taskType: 'voice',
  label: 'Olá! Seu vídeo está pronto.',
  status: 'completed',
  resultUrl: exampleUrl,
  results: [
    {
      url: exampleUrl,
      contentType: 'audio/mpeg',
      bytes: 21_420,
      durationSec: 2.7,
      provenance: { standard: 'c2pa', digitalSourceType: 'trainedAlgorithmicMedia', signedBy: 'Generation Service' },
      expiresAt: '2027-02-19T12:00:05.000Z',
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
const canceled = { code: 'CANCELED', message: failureMessage('CANCELED') } as const;

/**
 * Until when an account that has reached its limit can cancel no more tasks. The limit exists because engines charge
 * for work that they have begun.
 */
const cancelLimits = {
  RATE_LIMITED: `the task is open, and the account has canceled as many tasks today (UTC) as it can: ${cancelsPerDay} that cost at most ${refundedCreditsPerDay} credits together, or as many as cost 1/${paidCreditsPerRefunded} of what it paid today for tasks that are not refunded, if that is more. Nothing has changed, and Retry-After is the rest of the day; a task that has ended can be deleted at any time. While a task that counted as too long (see \`generateCortes\`) limits the account, it can cancel tasks whose price depends on the duration of a file only until it has canceled ${longResultsPerDay} tasks on the day. Tasks of test tokens never count.`,
};

export const tasksContracts = {
  listTasks: {
    operationId: 'listTasks',
    method: 'GET',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    scopes: ['read:tasks'],
    idempotent: false,
    dashboard: true,
    summary: 'List tasks',
    description: [
      'The same records as `getTask` without `input` and `webhook`. All filters can be combined, and the result is complete however many tasks the account has.',
      'A new task is listed as soon as the response that created it has been sent. A task that has just ended may take a moment to appear under `status=completed` or `status=failed`; it never leaves a list that is not filtered by status.',
      'To read everything, pass the id of the last task that you received as `after` until the list is empty: this neither repeats nor skips tasks when new ones are created in the meantime. `offset` works as well, but ends at 10,000.',
      '`queued` is accepted as a `status` but matches no task.',
    ].join('\n\n'),
    get query() {
      return listQuery();
    },
    success: {
      status: 200,
      rows: 'tasks',
      retryAfter: 'while-open',
      get data() {
        return TaskList();
      },
    },
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
    dashboard: true,
    summary: 'Get a task',
    description: `While the task is open, \`Retry-After\` says when to poll it again; follow up to ${polledTasksLimit} tasks at once with \`listTasks\`. A task of another account is reported as not found. Results are stored for ${resultsRetentionDays} days unless the account wants fewer, the attempts of \`webhook\` for 30.`,
    get params() {
      return taskParams();
    },
    success: {
      status: 200,
      retryAfter: 'while-open',
      get data() {
        return Task();
      },
    },
    errors: ['NOT_FOUND'] satisfies ErrorCode[],
    example: {
      params: { taskId: exampleTask.id },
      data: { ...exampleTask, input: exampleInput },
    },
  },
  deleteTask: {
    operationId: 'deleteTask',
    method: 'DELETE',
    path: '/api/v1/tasks/{taskId}',
    tag: 'Tasks',
    // The operation accepts any scope that can create tasks; the type of the task determines which of them the token
    // needs.
    scopes: generationScopes,
    idempotent: false,
    extension: true,
    dashboard: true,
    summary: 'Delete a task',
    description: [
      'Erases the results, posters and copies of inputs of the task, its texts (the request, its `label` and `clientReference`, titles of clips, error messages) and the records of its engine jobs. Afterwards no operation finds the task, and its URLs no longer work; copies that were downloaded through a cache may be served for another minute.',
      'An open task is canceled first: its credits are refunded, and the cancel counts (see 429). A webhook that has not been delivered yet is still sent; what it consists of, such as the callback URL, is erased after its last attempt. What a step or an engine still stores for the task is erased within minutes, and a last time an hour after the time limit of the task.',
      'The rows of the credit history remain, and with them the usage; they contain no text. So do resources of their own: uploaded files, products, avatars, and the record of an influencer that the task created, without its portraits. A repeated request with the `Idempotency-Key` that created the task gets the stored response, whose `taskId` then does not exist.',
      'The response is sent when everything is erased. If a request fails or gets no response, send it again: it completes the deletion, which otherwise happens within minutes. A task that is already deleted is reported as not found. The token needs the scope of the operation that created the task. Takes no body.',
    ].join('\n\n'),
    get params() {
      return taskParams();
    },
    success: {
      status: 200,
      get data() {
        return DeletedTask();
      },
    },
    errors: ['NOT_FOUND'],
    furtherLimits: cancelLimits,
    example: { params: { taskId: exampleTask.id }, data: { taskId: exampleTask.id, deleted: true } },
  },
  cancelTask: {
    operationId: 'cancelTask',
    method: 'POST',
    path: '/api/v1/tasks/{taskId}/cancel',
    tag: 'Tasks',
    // As for a deletion, the required scope depends on the type of the task.
    scopes: generationScopes,
    idempotent: false,
    extension: true,
    dashboard: true,
    summary: 'Cancel a task',
    description:
      "The task becomes `failed` with the error `CANCELED`, its credits are refunded, and the engine's job is canceled where the engine supports it. An account can cancel a limited number of tasks a day: see 429. The token needs the scope of the operation that created the task. Takes no body.",
    get params() {
      return taskParams();
    },
    success: {
      status: 200,
      get data() {
        return Task();
      },
    },
    errors: ['NOT_FOUND', 'TASK_NOT_CANCELABLE'],
    furtherLimits: cancelLimits,
    example: {
      params: { taskId: exampleTask.id },
      data: {
        id: exampleTask.id,
        taskType: 'voice',
        label: exampleTask.label,
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
