/** The bodies of webhooks: what an account's back end receives when a task ends. */
import * as z from 'zod';
import { credits, id, serviceUrl, testMark, timestamp } from './fields.ts';
import { once } from './once.ts';
import { TaskError } from './task.ts';

export const TaskCompleted = once(() =>
  z
    .object({
      event: z.literal('task.completed').describe('The kind of event.'),
      taskId: id().describe('The task that ended.'),
      status: z.literal('completed').describe('The status of the task.'),
      resultUrl: serviceUrl().describe('The first result; `GET /api/v1/tasks/{taskId}` lists all of them.'),
      creditsUsed: credits().describe('What the task cost.'),
      timestamp: timestamp().describe('When the task ended.'),
      test: testMark(),
    })
    .meta({ id: 'TaskCompleted', description: 'A task has completed.' }),
);
export type TaskCompleted = z.output<ReturnType<typeof TaskCompleted>>;

export const TaskFailed = once(() =>
  z
    .object({
      event: z.literal('task.failed').describe('The kind of event.'),
      taskId: id().describe('The task that ended.'),
      status: z.literal('failed').describe('The status of the task.'),
      error: TaskError(),
      timestamp: timestamp().describe('When the task ended.'),
      test: testMark(),
    })
    .meta({ id: 'TaskFailed', description: 'A task has failed and was refunded.' }),
);
export type TaskFailed = z.output<ReturnType<typeof TaskFailed>>;
