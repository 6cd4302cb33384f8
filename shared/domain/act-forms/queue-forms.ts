/** What acts on queues need, and who may perform them. */
import * as z from 'zod';
import { oneOf } from '../../contracts/fields.ts';
import { messageQueues } from '../../contracts/message-queues.ts';
import type { ActForms } from './act-form.ts';

export const queueForms = {
  redriveDeadLetters: {
    name: 'redriveDeadLetters',
    role: 'admin',
    summary: 'Move the dead letters of a queue back to it, at most 1000 at once, after the bug has been fixed.',
    input: () => z.strictObject({ queue: oneOf(messageQueues) }),
  },
} as const satisfies ActForms;
