/** What acts on tasks and their webhooks need, and who may perform them. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import type { ActForms } from './act-form.ts';

const input = () => z.strictObject({ task: id() });

export const taskForms = {
  failTask: {
    name: 'failTask',
    role: 'support',
    summary: 'Fail an open task: free its slot, refund its credits and send its webhook.',
    input,
  },
  redeliverWebhook: {
    name: 'redeliverWebhook',
    role: 'support',
    summary: 'Send the webhook of an ended task again, in a new series of attempts.',
    input,
  },
} as const satisfies ActForms;
