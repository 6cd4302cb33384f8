/** What the service tells an account's back end when a task ends. */
import * as z from 'zod';
import { credits, id, timestamp } from './fields.ts';
import { TaskError } from './tasks.ts';

export const TaskCompleted = z
  .object({
    event: z.literal('task.completed'),
    taskId: id(),
    status: z.literal('completed'),
    resultUrl: z.url(),
    creditsUsed: credits(),
    timestamp: timestamp(),
  })
  .meta({ id: 'TaskCompleted' });
export type TaskCompleted = z.output<typeof TaskCompleted>;

export const TaskFailed = z
  .object({
    event: z.literal('task.failed'),
    taskId: id(),
    status: z.literal('failed'),
    error: TaskError,
    timestamp: timestamp(),
  })
  .meta({ id: 'TaskFailed' });
export type TaskFailed = z.output<typeof TaskFailed>;
