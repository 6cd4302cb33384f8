/** What operators see of the queues and their dead letters. */
import * as z from 'zod';
import { oneOf, shortText, timestamp } from './fields.ts';
import { messageQueues } from './message-queues.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';

const count = () => z.int().min(0);

const QueueDepth = once(() =>
  z
    .object({
      queue: z.enum(messageQueues).describe('The queue.'),
      waiting: count().describe('Messages that can be received.'),
      delayed: count().describe('Messages that can be received later.'),
      inFlight: count().describe('Messages that are being processed, or wait for their next attempt.'),
      deadLetters: count().describe('Messages that failed too often, which are kept for 14 days.'),
    })
    .meta({ id: 'QueueDepth' }),
);

const Queues = once(() =>
  z
    .object({ queues: z.array(QueueDepth()).max(messageQueues.length).describe('The numbers are approximate.') })
    .meta({ id: 'Queues' }),
);

const DeadLetter = once(() =>
  z
    .object({
      messageId: shortText().describe('The id of the message, which the log of its failures also has.'),
      kind: shortText().describe('What the message is about.'),
      ids: z.record(z.string(), z.string()).describe('The ids in it; other contents are not shown.'),
      sentAt: timestamp().describe('When it was sent.'),
    })
    .meta({ id: 'DeadLetter' }),
);

const DeadLetters = once(() =>
  z
    .object({ deadLetters: z.array(DeadLetter()).max(10).describe('Some of them, oldest first.') })
    .meta({ id: 'DeadLetters' }),
);

const queueParams = once(() => z.object({ queue: oneOf(messageQueues) }));

export const operateQueueContracts = {
  listQueues: {
    operationId: 'listQueues',
    method: 'GET',
    path: '/operate/api/queues',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the queues',
    description: 'How many messages and dead letters each queue has.',
    success: {
      status: 200,
      get data() {
        return Queues();
      },
    },
    errors: [],
    example: { data: { queues: [{ queue: 'webhooks', waiting: 3, delayed: 0, inFlight: 1, deadLetters: 0 }] } },
  },
  listDeadLetters: {
    operationId: 'listDeadLetters',
    method: 'GET',
    path: '/operate/api/queues/{queue}/dead-letters',
    idempotent: false,
    operator: 'viewer',
    summary: 'List dead letters of a queue',
    description: 'At most ten dead letters with their kind and ids. They stay where they are.',
    get params() {
      return queueParams();
    },
    success: {
      status: 200,
      get data() {
        return DeadLetters();
      },
    },
    errors: ['NOT_FOUND'],
    example: {
      params: { queue: 'webhooks' },
      data: {
        deadLetters: [
          {
            messageId: '5fea7756-0ea4-451a-a703-a558b933e274',
            kind: 'webhook',
            ids: { taskId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d', attempt: '1' },
            sentAt: '2026-11-21T12:00:00.000Z',
          },
        ],
      },
    },
  },
} as const satisfies Record<string, OperateContract>;
