/** Webhooks in the OpenAPI document: the requests sent to the `callbackUrl` of a task that has ended. */
import type * as z from 'zod';
import { documentRoutes } from '../documents.ts';
import { failureMessage } from '../errors.ts';
import { attemptsPerSeries, deliveryDelaysSeconds } from '../limits.ts';
import { TaskCompleted, TaskFailed } from '../webhooks.ts';
import type { Json, Schemas } from './schemas.ts';
import { webhookSamples } from './webhook-samples.ts';

const [, afterFirst, afterSecond] = deliveryDelaysSeconds;

const deliveryRules = `
Sent as a POST to the \`callbackUrl\` of the task, once its final status and any refund are committed.

- \`Content-Type\` is \`application/json\`.
- A 2xx status within 10 seconds confirms the delivery. Any other status, including a redirect, or no response in time is a failure.
- There are at most ${attemptsPerSeries} attempts: at once, ${afterFirst} seconds after the first failed, and ${afterSecond} seconds after the second failed.
- The body of every attempt is the same, byte for byte. Attempts can arrive twice or late: deduplicate them by \`webhook-id\` or \`taskId\`.
- Compare \`X-Webhook-Token\` in constant time with the webhook token of your API token, and reject the request if they differ.
- Verify the signature (Standard Webhooks, Ed25519): one of the space-separated signatures in \`webhook-signature\` that
  begin with \`v1a,\` is over \`{webhook-id}.{webhook-timestamp}.{body}\`, the body byte for byte as received. The public
  keys are at \`${documentRoutes.listWebhookKeys.path}\`. Reject a timestamp that is more than 300 seconds in the past or the future. Every
  published key signs, so that a rotation needs no action; fetch the keys again if none matches.
- The signature proves that the service sent these bytes; the token proves that they are about your task: check both.
- Delivery is not guaranteed: poll \`GET /api/v1/tasks/{taskId}\` as a fallback. It also lists the attempts.
`.trim();

const taskId = '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162';

/** A signature: 64 bytes in base64. */
const signature = 'v1a,[A-Za-z0-9+/]{86}==';

const parameters = [
  {
    name: 'X-Webhook-Token',
    in: 'header',
    required: true,
    description: 'The webhook token that was shown with the API token that created the task.',
    schema: { type: 'string', maxLength: 200 },
  },
  {
    name: 'X-Client-Reference',
    in: 'header',
    description:
      'Extension. The `X-Client-Reference` of the request that created the task, if it had one, in UTF-8. The signature does not cover it.',
    schema: { type: 'string', maxLength: 128 },
  },
  {
    name: 'User-Agent',
    in: 'header',
    required: true,
    description: 'The name of the service, and the version of its webhooks.',
    schema: { type: 'string', pattern: '^[^ ]+-Webhook/1\\.0$', maxLength: 200 },
    example: 'GenerationService-Webhook/1.0',
  },
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The id of the event: `msg_` and the id of the task, the same for every attempt and when it is sent again later.',
    schema: { type: 'string', pattern: '^msg_[^.]+$', maxLength: 256 },
    example: `msg_${taskId}`,
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in whole Unix seconds.',
    schema: { type: 'string', pattern: '^\\d+$', maxLength: 12 },
    example: '1795262406',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: 'The signatures of this attempt, one for each published key, newest key first, separated by spaces.',
    schema: { type: 'string', pattern: `^${signature}( ${signature})*$`, maxLength: 1000 },
  },
];

const responses = {
  '2XX': { description: 'Confirms the delivery. The body is ignored.' },
  default: { description: `The attempt failed; it is retried if fewer than ${attemptsPerSeries} were made.` },
};

interface Event {
  readonly operationId: string;
  readonly summary: string;
  readonly payload: z.ZodType;
  readonly example: Json;
}

const events = {
  'task.completed': {
    operationId: 'taskCompleted',
    summary: 'A task has completed',
    payload: TaskCompleted(),
    example: {
      event: 'task.completed',
      taskId,
      status: 'completed',
      resultUrl: `https://results.example.com/results/${taskId}-9f8e7d6c5b4a39281706f5e4d3c2b1a0/1-5f0e8b1c.mp3`,
      creditsUsed: 1,
      timestamp: '2026-11-21T12:00:06.000Z',
    },
  },
  'task.failed': {
    operationId: 'taskFailed',
    summary: 'A task has failed and was refunded',
    payload: TaskFailed(),
    example: {
      event: 'task.failed',
      taskId,
      status: 'failed',
      error: { code: 'PROVIDER_ERROR', message: failureMessage('PROVIDER_ERROR') },
      timestamp: '2026-11-21T12:00:06.000Z',
    },
  },
} as const satisfies Record<string, Event>;

const webhook = ({ operationId, summary, payload, example }: Event, schemas: Schemas): Json => ({
  post: {
    operationId,
    summary,
    description: deliveryRules,
    'x-implemented': true,
    'x-codeSamples': webhookSamples,
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: schemas.response(payload), example } } },
    responses,
  },
});

export const webhooks = (schemas: Schemas): Json =>
  Object.fromEntries(Object.entries(events).map(([name, event]) => [name, webhook(event, schemas)]));
