/** A task as responses and webhooks show it. */
import * as z from 'zod';
import { taskErrorCodes } from './errors.ts';
import { credits, id, oneOf, serviceUrl, shortText, testMark, timestamp } from './fields.ts';
import { clipCounts, deliveryAttemptsLimit, taskLabelLimit } from './limits.ts';
import { once } from './once.ts';
import { Clip, Result } from './task-results.ts';
import { taskStatuses } from './task-statuses.ts';
import { taskTypes } from './task-types.ts';
import { webhookStatuses } from './webhook-statuses.ts';

const TaskStatus = once(() => oneOf(taskStatuses).meta({ id: 'TaskStatus' }));
export const TaskType = once(() => oneOf(taskTypes).meta({ id: 'TaskType' }));
const TaskErrorCode = once(() => oneOf(taskErrorCodes).meta({ id: 'TaskErrorCode' }));

export const TaskError = once(() =>
  z
    .object({
      code: TaskErrorCode().describe('The code to branch on.'),
      message: shortText(1000).describe('A description for humans; its wording may change.'),
    })
    .meta({ id: 'TaskError', description: 'Why a task failed.' }),
);

export const DeliveryAttempt = once(() =>
  z
    .object({
      at: timestamp().describe('When the attempt began.'),
      statusCode: z.int().min(100).max(999).nullable().describe('The HTTP status of the response, if there was one.'),
      error: shortText(100)
        .nullable()
        .describe('Why the attempt failed, such as `status 500` or `timeout`; null if the webhook was delivered.'),
      durationMs: z.int().min(0).describe('How long the attempt took, in milliseconds.'),
    })
    .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver a webhook.' }),
);

const Webhook = once(() =>
  z
    .object({
      url: serviceUrl().describe('The `callbackUrl` of the request.'),
      status: z.enum(webhookStatuses).describe('`failed` after the last unsuccessful attempt.'),
      attempts: z
        .array(DeliveryAttempt())
        .max(deliveryAttemptsLimit)
        .describe('The finished attempts of the last 30 days, oldest first.'),
    })
    .meta({ id: 'Webhook', description: 'How the webhook of a task was delivered.' }),
);

const summary = () => ({
  id: id(),
  taskType: TaskType().describe('The path name of the operation that created the task.'),
  label: shortText(taskLabelLimit)
    .nullable()
    .describe(
      `Extension. The first ${taskLabelLimit} characters of the prompt, text or name of the request, otherwise the name of its first file; null if it has none.`,
    ),
  status: TaskStatus().describe('`completed` and `failed` are final.'),
  resultUrl: serviceUrl().optional().describe('The first result; present when completed.'),
  results: z.array(Result()).max(clipCounts.max).optional().describe('All results; present when completed.'),
  clips: z
    .array(Clip())
    .max(clipCounts.max)
    .optional()
    .describe('The clips of a completed `cortes` task, in the order of `results`.'),
  clientReference: shortText(128).optional().describe('The `X-Client-Reference` of the request.'),
  influencerId: id().optional().describe('The influencer that an influencer task created; present when completed.'),
  test: testMark(),
  creditsUsed: credits().describe('What the task cost.'),
  creditsRefunded: credits().describe('Equal to `creditsUsed` if the task failed, otherwise 0.'),
  progress: z.int().min(0).max(100).describe('The progress in percent. Never decreases; 100 if and only if completed.'),
  error: TaskError().optional().describe('Present when failed.'),
  createdAt: timestamp().describe('When the task was created.'),
  inputErasedAt: timestamp()
    .optional()
    .describe(
      'Extension. When the texts and addresses of the request were erased, because the account keeps them only for a number of days: the task then has no `label`, `clientReference`, `webhook`, texts of `clips` or details in `error`. Its status, credits, times and results stay.',
    ),
  startedAt: timestamp().optional().describe('When work on the task began.'),
  completedAt: timestamp().optional().describe('When the task became completed or failed.'),
});

export const TaskSummary = once(() =>
  z.object(summary()).meta({ id: 'TaskSummary', description: 'A task as shown in lists.' }),
);
export type TaskSummary = z.output<ReturnType<typeof TaskSummary>>;

export const Task = once(() =>
  z
    .object({
      ...summary(),
      input: z
        .record(z.string(), z.unknown())
        .describe(
          'The known fields of the accepted request, with defaults filled in. Once they have been erased, at `inputErasedAt`, only a declared `likenessConsent` is left.',
        ),
      webhook: Webhook()
        .optional()
        .describe('Present when the request had a `callbackUrl`, until it is erased at `inputErasedAt`.'),
    })
    .meta({ id: 'Task', description: 'A generation and its outcome.' }),
);
export type Task = z.output<ReturnType<typeof Task>>;
